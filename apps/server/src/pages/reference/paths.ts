import type { Route } from '@kassa/contract/kit/route.ts'

/** A path of the contract as a program calls it: below `/api/v1`, or from the root where it begins with two slashes. */
export function writtenPath(path: string): string {
  return path.startsWith('//') ? path.slice(1) : path
}

/** Where the page of calls describes a route: several may share a number, none a method and path. */
export function anchorOf({ methods: [method], paths: [path] }: Route): string {
  return `${method}${path.replace(/\W+/g, '-').replace(/-$/, '')}`
}
