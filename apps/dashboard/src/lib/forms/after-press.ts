let isDown = false
addEventListener('pointerdown', () => (isDown = true), { capture: true })
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (isDown = false), { capture: true })

/** Runs something when no pointer is down: what moves a page must not take a button from under a press. */
export function afterPress(run: () => void): void {
  if (!isDown) return run()
  // The click comes right after the pointer was lifted, and in the same turn.
  const later = () => setTimeout(run)
  addEventListener('pointerup', later, { once: true, capture: true })
}
