t = []
try:
  try: [][t]
  except (KeyError, IndexError) as e: t = t + [e]
  except: 1 // 0
  else: pass
  finally: t = 1
except Exception:
  with torch.no_grad(), np.errstate() as w:
    x = torch.ones(2, requires_grad=True)
    if e: x += 1
  with x: pass
finally: x.view(3)
