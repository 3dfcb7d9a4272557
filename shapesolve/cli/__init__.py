"""The sub-commands of ``shapesolve``: each parses nothing and decides nothing, it calls the pipeline and prints."""
