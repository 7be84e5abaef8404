/** Runs in the page: the innermost parts that reach out of the window, without scrolling containers. */
export const OUTSIDE = `(() => {
  if (document.documentElement.scrollWidth <= innerWidth) return []
  const isCut = (part) => {
    const { overflowX, position } = getComputedStyle(part)
    return position === 'fixed' || overflowX !== 'visible' || (part !== document.body && isCut(part.parentElement))
  }
  const beyond = (part) => Math.round(part.getBoundingClientRect().right - innerWidth)
  const out = [...document.body.querySelectorAll('*')].filter(
    (part) => part.checkVisibility() && beyond(part) > 0 && !isCut(part.parentElement),
  )
  const innermost = out.filter((part) => !out.some((other) => other !== part && part.contains(other)))
  const names = innermost.map((part) => beyond(part) + ' px: ' + part.outerHTML.slice(0, 160))
  return names.length > 0 ? names : ['what cannot be seen']
})()`
