import type { Page, Route } from 'playwright-core'

export type HeldRoute = {
  /** The first call to it is under way. */
  readonly arrived: Promise<unknown>
  /** Lets every call held so far, and every later one, end this way. */
  readonly end: (how: (route: Route) => Promise<void>) => void
}

/** Holds the calls to an address until the test answers them. */
export async function heldRoute(page: Page, address: string, method: string): Promise<HeldRoute> {
  const arrival = Promise.withResolvers<unknown>()
  const ending = Promise.withResolvers<(route: Route) => Promise<void>>()
  await page.route(address, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    arrival.resolve(undefined)
    const end = await ending.promise
    await end(route)
  })
  return { arrived: arrival.promise, end: ending.resolve }
}
