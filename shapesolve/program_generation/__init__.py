"""Random well-typed programs: functions that compute sizes, shapes and numbers, and check them."""
