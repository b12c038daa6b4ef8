try:
  try:
    x
  (a
  