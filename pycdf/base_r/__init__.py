"""What base R does: its random stream, long doubles, numbers as text, integers, label order."""
