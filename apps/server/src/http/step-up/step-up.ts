/**
 * Proof of presence bound to one action (api.md 2.7, decision 0031). The describer of a route says what a call will do. A26
 * shows that to a person, whose proof gives a token for its digest; the call itself is described again inside its transaction.
 * If the two differ, the action was never confirmed.
 */
import { createHash } from 'node:crypto'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Route } from '@kassa/contract/kit/route.ts'
import type { Confirmation, Context } from '../../context.ts'
import { checkAccess, type ProjectLookup, refusePresence, requireFactorForMoney, requirePresence } from '../access.ts'
import { canonicalJson } from './canonical-json.ts'
import { decodeInput } from '../decode.ts'
import type { Describe, Description, HandlerInput, MountedRoutes } from '../handlers.ts'

/** What a token was given for, and how it was confirmed. */
export type Confirmed = Confirmation & { readonly digest: Buffer }

/** Uses up a token of the calling session; returns what was confirmed, null when there is no such token. */
export type SpendToken = (ctx: Context, token: string, action: string) => Promise<Confirmed | null>

/** SHA-256 of the action, and of the facts behind it. */
export function digestOf(action: string, { lines, happens }: Description): Buffer {
  return createHash('sha256').update(canonicalJson({ action, lines, happens })).digest()
}

export type BoundCall = {
  readonly route: Route
  readonly describe: Describe<Route>
  readonly input: HandlerInput<Route>
  /** The header `Step-Up`. */
  readonly token: string | undefined
  readonly spend: SpendToken
}

const BY_WINDOW: Confirmation = { method: 'window', signature: null }

/**
 * Lets a call pass that does what its token was given for, and uses the token up. Call it inside the transaction of the effect.
 * An operator who has no second factor and needs none passes with the window alone (2.7). API keys cannot perform actions that
 * need it. Returns how the call was confirmed.
 * @throws STEP_UP_REQUIRED, STEP_UP_MISMATCH, SECOND_FACTOR_SETUP_REQUIRED
 */
export async function requireBound(
  ctx: Context,
  { route, describe, input, token, spend }: BoundCall,
): Promise<Confirmation> {
  const { caller } = ctx
  if (caller.kind !== 'operator') return BY_WINDOW
  // Before anything is read, so that of two calls with one token the second waits here.
  const confirmed = token === undefined ? null : await spend(ctx, token, route.id)
  const description = await describe(ctx, input)
  if (description !== null) requireFactorForMoney(caller)
  if (confirmed !== null) {
    const isSame = description !== null && digestOf(route.id, description).equals(confirmed.digest)
    return isSame ? confirmed : fail('STEP_UP_MISMATCH')
  }
  const stepUp = description === null ? 'S' : 'M'
  // A caller who sends a token confirms this action: the window does not replace an expired token.
  if (stepUp === 'M' && token !== undefined) refusePresence(caller, { stepUp, action: route.id })
  requirePresence(caller, { stepUp, action: route.id, now: ctx.now() })
  return BY_WINDOW
}

/** An action that needs proof of presence, as it would be performed. */
export type DescribedAction = { readonly title: string; readonly description: Description | null }

/** Describes a call before it is made. @throws STEP_UP_ACTION_UNKNOWN, and whatever the call itself would refuse first */
export type DescribeAction = (
  ctx: Context,
  asked: { readonly action: string; readonly subject: Readonly<Record<string, unknown>> },
) => Promise<DescribedAction>

/** Answers A26: decodes the described call and checks its access as the call itself would. */
export function describeActions(mounted: () => readonly MountedRoutes[], findProject: ProjectLookup): DescribeAction {
  return async (ctx, { action, subject }) => {
    const found = mounted().flatMap(({ routes, describers }) =>
      Object.entries(routes).flatMap(([name, route]) =>
        route.id === action && route.access.stepUp !== undefined ? [{ route, describe: describers[name] }] : [],
      ),
    )
    const [{ route, describe } = { route: undefined, describe: undefined }] = found
    if (route === undefined) return fail('STEP_UP_ACTION_UNKNOWN')
    if (describe === undefined) return { title: route.summary, description: null }
    const { params = {}, query = {}, body = {} } = subject
    const { stepUp: _asked, ...access } = route.access
    const { scope } = await checkAccess(ctx, findProject, {
      route: { ...route, access },
      caller: ctx.caller,
      project: projectOf(params),
      isWrite: true,
      now: ctx.now(),
    })
    const decoded = decodeInput(route, { params, query, body, isForm: false })
    const input = { ...decoded, scope } as HandlerInput<Route>
    const description = await describe(ctx, input)
    if (description !== null) requireFactorForMoney(ctx.caller)
    return { title: route.summary, description }
  }
}

/** The `{p}` of a call to come; its schema refuses what is none. */
function projectOf(params: unknown): string | undefined {
  const value = typeof params === 'object' && params !== null && 'p' in params ? params.p : undefined
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined
}
