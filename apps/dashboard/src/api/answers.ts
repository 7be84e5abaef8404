import { allRoutes } from '@kassa/contract/contract.ts'
import type { Route } from '@kassa/contract/kit/route.ts'
import { safeDecode } from 'zod/mini'

const shapes = new Map(allRoutes().map((route) => [nameOf(route), route.response]))

/** Reads an answer in the shape its route promises; the failure names the paths that have another. */
export function decodeAnswer(route: Route, body: unknown) {
  const shape = shapes.get(nameOf(route))
  if (shape === undefined) throw new Error(`The contract has no route ${nameOf(route)}`)
  return safeDecode(shape, body)
}

/** Returns the method and the address that no other route has; a row of the catalogue may hold several routes. */
export function nameOf({ methods, paths }: Pick<Route, 'methods' | 'paths'>): string {
  return `${methods[0]} ${paths[0]}`
}
