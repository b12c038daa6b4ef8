x ＝ torch．arange（６）
y = “a”
