let isDown = false
addEventListener('pointerdown', () => (isDown = true), { capture: true })
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (isDown = false), { capture: true })

/** Runs a callback once no pointer is down, so that a layout change does not move a button while it is being pressed. */
export function afterPress(run: () => void): void {
  if (!isDown) return run()
  // The click event follows pointerup in the same task; a timeout runs after both.
  const later = () => setTimeout(run)
  addEventListener('pointerup', later, { once: true, capture: true })
}
