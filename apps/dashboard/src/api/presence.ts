import type { RouteOutput } from '@kassa/contract/kit/route.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'

import { call } from './client.ts'
import type { StepUpProof, StepUpRequest } from './step-up.ts'

/** An action as the server describes it for confirmation. */
export type DescribedAction = RouteOutput<typeof authRoutes.prepareStepUp>

/** Has the server say what a call will do, before presence is proved for exactly that. @throws RequestError */
export function describeAction(action: string, subject: StepUpRequest['subject']): Promise<DescribedAction> {
  return call(authRoutes.prepareStepUp, { body: { action, subject } })
}

type Typed =
  | { readonly method: 'password'; readonly password: string }
  | { readonly method: 'totp' | 'backup'; readonly code: string }

/**
 * Proves presence with what the operator types, which opens the window for secrets and settings; for a described action it
 * gives the token of the call. @throws RequestError
 */
export async function provePresence(typed: Typed, challengeId?: string): Promise<StepUpProof> {
  return { token: (await call(authRoutes.stepUp, { body: { ...typed, challengeId } })).stepUpToken }
}
