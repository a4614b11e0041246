-- plydex, schema 3: what is told apart and vouched for; layouts in docs/file-format.md.

-- Once they are filled:
