"""Servers for editors and assistants: the language server protocol and the model context protocol."""
