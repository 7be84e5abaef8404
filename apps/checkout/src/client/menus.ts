/** Closes a menu by Escape, by a press elsewhere and when focus leaves it; without a script the browser closes it. */
export function closeMenus(): void {
  const close = (keep: EventTarget | null) => {
    for (const menu of document.querySelectorAll('[data-menu][open]'))
      if (!(keep instanceof Node && menu.contains(keep))) menu.removeAttribute('open')
  }
  document.addEventListener('click', ({ target }) => close(target))
  document.addEventListener('focusin', ({ target }) => close(target))
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    const open = document.querySelector<HTMLElement>('[data-menu][open] summary')
    close(null)
    open?.focus()
  })
}
