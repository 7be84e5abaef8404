/**
 * Tells the styles how much of the window a scrollbar takes: nothing where it floats over the page. Zooming changes it.
 * Returns what ends this.
 */
export function keepScrollbarWidth(): () => void {
  const measure = () => document.documentElement.style.setProperty('--scrollbar', `${scrollbarWidth()}px`)
  measure()
  window.addEventListener('resize', measure)
  return () => window.removeEventListener('resize', measure)
}

function scrollbarWidth(): number {
  const probe = document.createElement('div')
  probe.style.overflowY = 'scroll'
  probe.style.position = 'fixed'
  document.body.append(probe)
  const width = probe.offsetWidth - probe.clientWidth
  probe.remove()
  return width
}
