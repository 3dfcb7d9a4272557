"""The sub-commands of ``shapesolve``: arguments, processes, files and exit codes."""
