/** The names in braces of a pattern. */
type Names<Pattern extends string> = Pattern extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never

type Params<Pattern extends string> = { readonly [Name in Names<Pattern>]: string | number }

/** Values of a query; absent and empty ones are left out. */
type Query = Readonly<Record<string, string | undefined>>

type Parts<Pattern extends string> = [Names<Pattern>] extends [never]
  ? [query?: Query]
  : [params: Params<Pattern>, query?: Query]

/** What every path has, whatever its parameters are. */
export type AnyPath = {
  readonly pattern: string
  /** Whether the path of an address is this one; case and a slash at the end do not count. */
  readonly matches: (pathname: string) => boolean
}

/** An address of the dashboard: called with the parameters of its pattern it is the text of a link. */
export type Path<Pattern extends string> = AnyPath & ((...parts: Parts<Pattern>) => string)

function path<const Pattern extends string>(pattern: Pattern): Path<Pattern> {
  const shape = new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/*$`, 'i')
  const href = (...parts: readonly unknown[]): string => {
    const [params = {}, query = {}] = pattern.includes('{') ? parts : [{}, ...parts]
    return fillPath(pattern, params as Query) + queryOf(query as Query)
  }
  return Object.assign(href, { pattern, matches: (pathname: string) => shape.test(pathname) })
}

/** Puts values in place of the names in braces; a name without a value stays as it is. */
export function fillPath(pattern: string, params: Readonly<Record<string, string | number | undefined>>): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (name, key: string) => {
    const value = params[key]
    return value === undefined ? name : encodeURIComponent(value)
  })
}

function queryOf(query: Query): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = pairs.map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`).join('&')
  return text === '' ? '' : `?${text}`
}

/** Every address of the dashboard, as the specification names it (§2). No other file writes one. */
export const paths = {
  landing: path('/'),
  signIn: path('/login'),
  signUp: path('/signup'),
  signOut: path('/logout'),
  forgotPassword: path('/forgotPassword'),
  createPassword: path('/createPassword'),
  setPassword: path('/setPassword'),
  secondFactor: path('/secondFactor'),
  privacyPolicy: path('/privacy-policy'),
  cookiePolicy: path('/cookie-policy'),

  dashboard: path('/project/{projectId}/dashboard'),
  payments: path('/project/{projectId}/payments/allPayments'),
  payment: path('/project/{projectId}/payments/allPayments/{reference}'),
  createPayment: path('/project/{projectId}/payments/createPaymentLink'),
  growth: path('/project/{projectId}/growth/analytics'),
  promoter: path('/project/{projectId}/growth/analytics/promoter/{id}'),
  campaigns: path('/project/{projectId}/growth/campaigns'),
  newCampaign: path('/project/{projectId}/growth/campaigns/new'),
  campaign: path('/project/{projectId}/growth/campaigns/{id}'),
  editCampaign: path('/project/{projectId}/growth/campaigns/{id}/edit'),

  depositWallets: path('/manageWallet/deposit-wallet'),
  hotWallets: path('/manageWallet/hot-wallet'),
  hotWallet: path('/manageWallet/hot-wallet/{id}'),
  deploySweepContract: path('/manageWallet/sweepContract/deploy'),
  sweeps: path('/sweepIn'),
  referralPayouts: path('/withdraw/referral-payouts'),
  payouts: path('/withdraw/payouts'),
  newPayout: path('/withdraw/payouts/new'),
  approvals: path('/withdraw/approvals'),
  recipients: path('/withdraw/recipients'),

  developers: path('/developers'),
  settings: path('/settings'),
  projectSettings: path('/settings/account/{projectId}'),
  profile: path('/settings/profile'),
  security: path('/settings/security'),
  members: path('/settings/members'),
  roles: path('/settings/roles'),
  vault: path('/settings/vault'),
  email: path('/settings/email'),
  paymentMethods: path('/settings/payment-methods'),
  payoutPolicy: path('/settings/policies'),
  walletConnect: path('/settings/wallet-connect'),
  blockchains: path('/settings/blockchains'),
  blockchain: path('/settings/blockchains/{code}'),
  systemHealth: path('/settings/system'),
  auditLog: path('/settings/audit-log'),
  sandboxMail: path('/sandbox/mail'),
} as const

/** Addresses of the same server that belong to payers and promoters and are drawn by the checkout. */
export const checkoutPaths = [
  path('/payments'),
  path('/pay'),
  path('/success'),
  path('/addresses'),
  path('/referral/{token}'),
] as const

const PROJECT = '{projectId}'

/** The part before the project in every path that names one. */
const beforeProject = new Set(
  Object.values<AnyPath>(paths).flatMap(({ pattern }) => {
    const [before = '', after] = pattern.split(PROJECT)
    return after === undefined ? [] : [before]
  }),
)

const projectOfPath = new RegExp(`^(?:${[...beforeProject].join('|')})([^/]+)`, 'i')

/** Returns the project a path names. */
export function projectInPath(pathname: string): string | undefined {
  const id = projectOfPath.exec(pathname)?.[1]
  return id === undefined ? undefined : decodeURIComponent(id)
}
