import type { authRoutes } from '@kassa/contract/auth/routes.ts'
import { fail } from '@kassa/contract/kit/refusal.ts'

import type { Handlers } from '../../http/handlers.ts'
import { rootExists } from '../operators/service.ts'
import { changePassword } from './change-password.ts'
import { logOut, logOutEverywhere, readMe, signIn, signUp } from './service.ts'
import { prepareStepUp, stepUp } from './step-up.ts'
import { meView, signedInView } from './view.ts'

export const authHandlers: Handlers<typeof authRoutes> = {
  rootExists: async (ctx) => ({ exist: await rootExists(ctx) }),

  signUp: async (ctx, { body, request }) => signedInView(await signUp(ctx, { ...body, request })),

  signIn: async (ctx, { body, request }) => signedInView(await signIn(ctx, { ...body, request })),

  logOut: async (ctx) => {
    await logOut(ctx)
    return { message: 'Signed out.' }
  },

  logOutEverywhere: async (ctx) => {
    await logOutEverywhere(ctx)
    return { message: 'Signed out on every device.' }
  },

  changePassword: async (ctx, { body, request }) => {
    const { endedSessions } = await changePassword(ctx, { ...body, request })
    return { message: `Password changed successfully.${endedSessions > 0 ? ' Other devices were signed out.' : ''}` }
  },

  getMe: async (ctx) => (ctx.caller.kind === 'operator' ? meView(await readMe(ctx), ctx.caller) : fail('UNAUTHORIZED')),

  prepareStepUp: async (ctx, { body }) => {
    const { id, digest, title, lines } = await prepareStepUp(ctx, body)
    return { challengeId: id, methods: ['password'], digest, display: { title, lines: [...lines] } }
  },

  stepUp: async (ctx, { body }) => ({ windowUntil: await stepUp(ctx, body) }),
}
