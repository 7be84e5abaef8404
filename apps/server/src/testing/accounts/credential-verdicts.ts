/** What must become of a call with each kind of credential, computed from the contract alone: for the tests of every route. */
import { allRoutes } from '@kassa/contract/contract.ts'
import { permissionsOfAccess, type Route } from '@kassa/contract/kit/route.ts'

export const PASSES = 'passes'

export type Cell = { readonly route: Route; readonly method: string; readonly pattern: string }
export type Headers = Readonly<Record<string, string>>
/** A kind of credential: what a call carries, and what must become of it. */
export type Kind = {
  readonly headers: Headers | ((cell: Cell) => Headers | Promise<Headers>)
  readonly verdict: (cell: Cell) => string
  /** The cells that are asked; every one by default. */
  readonly asks?: (cell: Cell) => boolean
}

/** Further methods of a path are served by what serves the first. */
export const CELLS = allRoutes().flatMap((route) =>
  route.paths.map((pattern): Cell => ({ route, method: route.methods[0], pattern })),
)

const shapeOf = ({ route: { access }, method, pattern }: Cell) =>
  [...Object.keys(access), access.stepUp, method === 'GET', pattern.includes('{p}')].join()
const ONE_OF_SHAPE = new Set(new Map(CELLS.map((cell) => [shapeOf(cell), cell])).values())

/** What differs only in how a credential is found is asked once for each shape of access. */
export const oncePerShape = (cell: Cell) => ONE_OF_SHAPE.has(cell)

export const isOpen = ({ route: { access } }: Cell) => access.public === true || access.reference === true
export const isOfProject = ({ pattern }: Cell) => pattern.includes('{p}')

/** What becomes of a credential that opens nothing. */
export const asAnonymous = (cell: Cell) =>
  isOpen(cell) ? PASSES : isOfPromoter(cell) ? 'REFERRAL_TOKEN_INVALID' : 'UNAUTHORIZED'

export const isOfPromoter = ({ route: { access } }: Cell) => access.referral === true

export const asKey = (code: (cell: Cell) => string) => (cell: Cell) => {
  if (isOpen(cell)) return PASSES
  if (isOfPromoter(cell)) return 'REFERRAL_TOKEN_INVALID'
  return cell.route.access.scope === undefined ? 'FORBIDDEN' : code(cell)
}

/** What becomes of a paired signing device. */
export const asDevice = (cell: Cell) =>
  isOpen(cell) || isOfPromoter(cell) ? asAnonymous(cell) : cell.route.access.device ? PASSES : 'FORBIDDEN'

/** What becomes of an operator, where the route is one for operators. */
export const asOperator = (code: (cell: Cell) => string) => (cell: Cell) => {
  const { access } = cell.route
  if (isOpen(cell)) return PASSES
  if (isOfPromoter(cell)) return 'REFERRAL_TOKEN_INVALID'
  return access.permission === undefined && !access.operator ? 'PROJECT_CONTEXT_MISSING' : code(cell)
}

export const withPresence = (codes: { readonly S?: string; readonly M?: string }) =>
  asOperator(({ route: { access } }) => (access.stepUp && codes[access.stepUp]) ?? PASSES)

/** An operator who holds none of the permissions; a list of projects shows them those they work in. */
export const withoutPermission = asOperator((cell) => {
  const permissions = permissionsOfAccess(cell.route.access)
  const isListOfOwn = permissions.includes('project:read') && !isOfProject(cell)
  return permissions.length === 0 || isListOfOwn ? PASSES : 'FORBIDDEN'
})

export const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` })
export const byKey = (key: string): Headers => ({ 'api-key': key })

export function mapped<T, R>(values: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
