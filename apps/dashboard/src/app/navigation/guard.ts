import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { isOwnPath } from '../../lib/navigation/navigate.ts'
import { type AnyPath, checkoutPaths, paths } from '../../lib/paths.ts'
import { PAGES } from '../pages.ts'

/** Paths anyone may open (specification §2). */
const PUBLIC_PATHS: readonly AnyPath[] = [
  ...PAGES.filter(({ layout }) => layout !== 'shell').map(({ path }) => path),
  ...checkoutPaths,
]

export type Visit = {
  readonly pathname: string
  /** With its question mark, or empty. */
  readonly search: string
  readonly hasKey: boolean
  readonly lastProject: string | undefined
}

/** Whether a path is open to everyone. */
export function isPublicPath(pathname: string): boolean {
  return PUBLIC_PATHS.some((path) => path.matches(pathname))
}

/** Returns where a visit must go instead, or undefined when it may stay. */
export function guard({ pathname, search, hasKey, lastProject }: Visit): string | undefined {
  if (!hasKey && !isPublicPath(pathname)) return paths.signIn({ next: pathname + search })
  if (hasKey && (paths.signIn.matches(pathname) || paths.signUp.matches(pathname)))
    return afterSignIn(search, lastProject)
  return undefined
}

/** Returns where a sign-in leads: the page that was asked for when it is one of ours, else the last project's dashboard. */
export function afterSignIn(search: string, lastProject: string | undefined): string {
  const next = new URLSearchParams(search).get('next') ?? ''
  const path = next.split('?')[0] ?? ''
  if (isOwnPath(next) && !isPublicPath(path)) return next
  return paths.dashboard({ projectId: lastProject ?? ALL_PROJECTS })
}
