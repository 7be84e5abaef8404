import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { isOwnPath } from '../../lib/navigation/navigate.ts'

/** Paths anyone may open (specification §2); the last four belong to the payer and are served by the checkout. */
const PUBLIC_PATHS: ReadonlySet<string> = new Set([
  '/',
  '/login',
  '/signup',
  '/forgotpassword',
  '/createpassword',
  '/setpassword',
  '/privacy-policy',
  '/cookie-policy',
  '/logout',
  '/payments',
  '/pay',
  '/success',
  '/addresses',
])

export type Visit = {
  readonly pathname: string
  /** With its question mark, or empty. */
  readonly search: string
  readonly hasKey: boolean
  readonly lastProject: string | undefined
}

/** Whether a path is open to everyone. */
export function isPublicPath(pathname: string): boolean {
  const path = pathname.toLowerCase().replace(/(.)\/+$/, '$1')
  return PUBLIC_PATHS.has(path) || path.startsWith('/referral/')
}

/** Returns where a visit must go instead, or undefined when it may stay. */
export function guard({ pathname, search, hasKey, lastProject }: Visit): string | undefined {
  const path = pathname.toLowerCase()
  if (!hasKey && !isPublicPath(pathname)) return `/login?next=${encodeURIComponent(pathname + search)}`
  if (hasKey && (path === '/login' || path === '/signup')) return afterSignIn(search, lastProject)
  return undefined
}

/** Returns where a sign-in leads: the page that was asked for when it is one of ours, else the last project's dashboard. */
export function afterSignIn(search: string, lastProject: string | undefined): string {
  const next = new URLSearchParams(search).get('next') ?? ''
  const path = next.split('?')[0] ?? ''
  if (isOwnPath(next) && !isPublicPath(path)) return next
  return `/project/${lastProject ?? ALL_PROJECTS}/dashboard`
}
