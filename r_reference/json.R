# Writes R values as JSON, in ASCII; the same values give the same bytes.
#
# Doubles are written as the 16 hexadecimal digits of their bits (most significant first), so that a
# file contains R's exact numbers.

json_text <- function(x) {
  one <- function(s) {
    code <- utf8ToInt(enc2utf8(s))
    pieces <- vapply(code, function(u) {
      if (u > 0xFFFF) {
        u <- u - 0x10000
        sprintf("\\u%04x\\u%04x", as.integer(0xD800 + u %/% 1024), as.integer(0xDC00 + u %% 1024))
      } else if (u < 32L || u > 126L || u == 34L || u == 92L) {
        sprintf("\\u%04x", u)
      } else {
        intToUtf8(u)
      }
    }, "")
    paste0("\"", paste(pieces, collapse = ""), "\"")
  }
  vapply(x, one, "", USE.NAMES = FALSE)
}

json_list <- function(items, lines = FALSE) {
  if (lines) paste0("[\n", paste(items, collapse = ",\n"), "\n]") else paste0("[", paste(items, collapse = ","), "]")
}

json_integers <- function(x) json_list(format_integers(x))

format_integers <- function(x) {
  stopifnot(!anyNA(x), x == trunc(x))
  if (is.integer(x)) as.character(x) else sprintf("%.0f", x)
}

json_strings <- function(x) json_list(json_text(x))

hex_digits <- function(x) {
  x <- as.double(x)
  bytes <- writeBin(x, raw(), endian = "big")
  # CDF does not distinguish NA from the various NaN: write them all as the same bits.
  if (anyNA(x)) bytes[rep((which(is.na(x)) - 1L) * 8L, each = 8L) + 1:8] <- as.raw(c(0x7f, 0xf8, 0, 0, 0, 0, 0, 0))
  paste(as.character(bytes), collapse = "")
}

json_doubles <- function(x) paste0("\"", hex_digits(x), "\"")

json_object <- function(entries) {
  values <- unlist(entries, use.names = FALSE)
  stopifnot(length(values) == length(entries), is.character(values))
  paste0("{\n", paste0(json_text(names(entries)), ": ", values, collapse = ",\n"), "\n}")
}

# A matrix, one line per row. `kind` says what R was given: "double", "integer" or "logical".
json_matrix <- function(x) {
  rows <- seq_len(nrow(x))
  lines <- if (is.double(x)) {
    vapply(rows, function(i) json_doubles(x[i, ]), "")
  } else {
    vapply(rows, function(i) json_integers(as.integer(x[i, ])), "")
  }
  json_object(list(kind = json_text(typeof(x)), columns = as.character(ncol(x)), rows = json_list(lines, lines = TRUE)))
}

write_json <- function(entries, path) {
  con <- file(path, "wb") # binary: no platform's own line ends
  on.exit(close(con))
  writeBin(charToRaw(paste0(json_object(entries), "\n")), con)
}
