/** The first account, and signing in (api.md 2). */
import { timingSafeEqual } from 'node:crypto'

import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Context, inTransaction, type RequestFacts } from '../../../context.ts'
import { requireHashingPlace } from '../../../hashing/argon2id.ts'
import { isKnownHost, isOwnOrigin } from '../../../http/headers.ts'
import { createRoot, findOperatorByEmail, markSeen, rootExists } from '../../operators/accounts/service.ts'
import { allowedOrigins } from '../../settings/service.ts'
import { checkPassword } from '../attempts/check-password.ts'
import { signInCounts } from '../attempts/rules.ts'
import { readCode } from '../factors/service.ts'
import { hashNewPassword } from '../passwords/new-password.ts'
import { hasSessionFrom } from '../sessions/store.ts'
import { hashTypedCode, newTypedCode } from '../sessions/typed-codes.ts'
import { enter } from './enter.ts'
import { openSession, type OpenedSession } from './open-session.ts'
import { askSecondFactor, signInWithCode } from './second-step.ts'
import { deleteSetupCode, findSetupCode, upsertSetupCode } from './store.ts'

export { mailNewDeviceJob } from './emails.ts'

/**
 * While there is no account, creates at every start the set-up code that the first account needs, and prints it in the log. If
 * the code was lost with its log, a restart replaces it.
 */
export async function prepareSetupCode(ctx: Context): Promise<void> {
  if (!ctx.config.roles.includes('api') || (await rootExists(ctx))) return
  const code = newTypedCode()
  await upsertSetupCode(ctx, code.hash)
  ctx.log.info(`Set-up code for creating the first account: ${code.text}`)
}

export type SignUpInput = {
  readonly email: string
  readonly password: string
  readonly setupCode?: string | undefined
  readonly request: RequestFacts
}

/**
 * Creates the first account and signs it in. Of two simultaneous sign-ups one wins.
 * @throws SIGN_UP_CLOSED, VALIDATION_FAILED, or SETUP_CODE_REQUIRED off the sandbox and from any machine but this one
 */
export async function signUp(ctx: Context, input: SignUpInput): Promise<OpenedSession> {
  if (await rootExists(ctx)) return fail('SIGN_UP_CLOSED')
  if (!(await mayCreateRoot(ctx, input))) return fail('SETUP_CODE_REQUIRED')
  const { email, password, request } = input
  const passwordHash = await hashNewPassword(ctx, { email, password, network: request.network })
  return inTransaction(ctx, async (tx) => {
    const operator = await createRoot(tx, { email, passwordHash })
    if (!operator) return fail('SIGN_UP_CLOSED')
    await deleteSetupCode(tx)
    await markSeen(tx, operator.id)
    return openSession(tx, operator, request)
  })
}

/**
 * Whether the caller knows the code printed in the log. The sandbox also accepts callers on this machine under a local host
 * name, unless another site's page sends the request (api.md 2.2).
 */
async function mayCreateRoot(ctx: Context, { setupCode, request }: SignUpInput): Promise<boolean> {
  if (ctx.config.network === 'sandbox' && request.isThisMachine) {
    const origins = await allowedOrigins(ctx)
    if (isKnownHost(request.host, origins) && isOwnOrigin(request, origins)) return true
  }
  const hash = setupCode === undefined ? undefined : await findSetupCode(ctx)
  return hash !== undefined && setupCode !== undefined && timingSafeEqual(hashTypedCode(setupCode), hash)
}

/**
 * Signs an operator in and emits operator.signed_in. A wrong e-mail, a wrong password and an inactive account get the same
 * answer in the same time. An operator with a second factor is asked for it, unless its code was sent along.
 * @throws INVALID_CREDENTIALS, SIGN_IN_THROTTLED, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_INVALID, SERVICE_UNAVAILABLE
 */
export async function signIn(
  ctx: Context,
  input: {
    readonly email: string
    readonly password: string
    readonly otpCode?: string | undefined
    readonly request: RequestFacts
  },
): Promise<OpenedSession> {
  const { request, otpCode } = input
  requireHashingPlace(ctx, request.network)
  const operator = await findOperatorByEmail(ctx, input.email)
  const hash = operator?.state === 'active' ? operator.password_hash : null
  const { network } = request
  // Done for unknown addresses too, so that the answer takes the same time.
  const isKnown = await hasSessionFrom(ctx, { operatorId: operator?.id ?? 0, network })
  const counts = signInCounts({ email: input.email, network, isKnown })
  const isRight = await checkPassword(ctx, { password: input.password, hash, network, counts })
  if (!operator || !isRight) return fail('INVALID_CREDENTIALS')
  if (operator.second_factors.length === 0) {
    return inTransaction(ctx, (tx) =>
      enter(tx, operator, { factors: ['password'], request, stale: 'INVALID_CREDENTIALS' }),
    )
  }
  if (otpCode === undefined || otpCode === '') return askSecondFactor(ctx, operator, request)
  return signInWithCode(ctx, operator, { typed: readCode(otpCode), request })
}
