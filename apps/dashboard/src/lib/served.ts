/** Whether the program itself answers; a proxy that says 502 during a deployment would take the page's place. */
export async function isServed(): Promise<boolean> {
  return fetch('/', { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  )
}
