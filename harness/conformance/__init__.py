"""The scorer against files of cases with known answers."""
