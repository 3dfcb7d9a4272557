"""Translation validation of pass pipelines: every pass is run, and its output compared with its input."""
