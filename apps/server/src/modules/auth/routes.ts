import type { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import type { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import type { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import type { authRoutes } from '@kassa/contract/auth/routes.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../../context.ts'
import { type Handlers, prepared } from '../../http/handlers.ts'
import type { DescribeAction } from '../../http/step-up/step-up.ts'
import { canMail } from '../mail/service.ts'
import { type OperatorRow, operatorView, rootExists } from '../operators/accounts/service.ts'
import { addPasskey, beginPasskey, checkMade, removePasskey, renamePasskey } from './enrolment/passkeys.ts'
import { removeFactorsOf } from './enrolment/removal.ts'
import { beginTotp, checkApp, confirmTotp, readOwnFactors, removeTotp, renewBackupCodes } from './enrolment/service.ts'
import {
  changeMember,
  deleteMember,
  hashFirstPassword,
  inviteMember,
  listSessionsOf,
  revokeAccess,
  sendInvitation,
  signOutMember,
} from './members/service.ts'
import { changePassword, checkChange } from './passwords/change-password.ts'
import {
  checkLinkIssuer,
  describeToken,
  forgotPassword,
  hashChosen,
  issueResetLink,
  requireReset,
  resetPassword,
} from './passwords/service.ts'
import { changeMe, type OperatorWithRoles, operatorWithRoles, readMe } from './sessions/me.ts'
import { renewSession } from './sessions/renew-session.ts'
import { endMySession, listMySessions, logOut, logOutEverywhere } from './sessions/service.ts'
import { askPasskey, finishSignIn, signInWithPasskey } from './sign-in/second-step.ts'
import { signIn, signUp } from './sign-in/service.ts'
import { prepareStepUp, stepUp } from './step-up/step-up.ts'
import { meView, refreshedView, sessionView, signedInView } from './view.ts'

const asOthersSee = (one: OperatorWithRoles) => operatorView(one, one.names)

export const authHandlers = (describe: DescribeAction): Handlers<typeof authRoutes> => ({
  rootExists: async (ctx) => ({ exist: await rootExists(ctx), mail: await canMail(ctx) }),

  signUp: async (ctx, { body, request }) => signedInView(await signUp(ctx, { ...body, request })),

  signIn: async (ctx, { body, request }) => signedInView(await signIn(ctx, { ...body, request })),

  refresh: async (ctx, { body }) => refreshedView(await renewSession(ctx, body.refreshToken)),

  logOut: async (ctx) => {
    await logOut(ctx)
    return { message: 'Signed out.' }
  },

  logOutEverywhere: async (ctx) => {
    await logOutEverywhere(ctx)
    return { message: 'Signed out on every device.' }
  },

  changePassword: prepared({
    prepare: (ctx, { body, request }) => checkChange(ctx, { ...body, request }),
    perform: async (ctx, { request }, checked) => {
      const { endedSessions } = await changePassword(ctx, checked, request)
      return { message: `Password changed successfully.${endedSessions > 0 ? ' Other devices were signed out.' : ''}` }
    },
  }),

  getMe: async (ctx) => (ctx.caller.kind === 'operator' ? meView(await readMe(ctx), ctx.caller) : fail('UNAUTHORIZED')),

  changeMe: async (ctx, { body }) => asOthersSee(await changeMe(ctx, body)),

  listSessions: async (ctx) => (await listMySessions(ctx)).map((row) => sessionView(row, ctx.caller)),

  endSession: async (ctx, { params }) => {
    await endMySession(ctx, params.id)
    return { message: 'Signed out there.' }
  },

  prepareStepUp: async (ctx, { body }) => {
    const { id, methods, digest, title, lines, publicKey } = await prepareStepUp(ctx, describe, body)
    const display = { title, lines: [...lines] }
    return { challengeId: id, methods: [...methods], digest, display, ...(publicKey && { publicKey }) }
  },

  stepUp: (ctx, { body, request }) => stepUp(ctx, { ...body, request }),
})

export const passwordHandlers: Handlers<typeof passwordRoutes> = {
  forgotPassword: async (ctx, { body }) => {
    await forgotPassword(ctx, body)
    return { message: 'If this address is known, a link is on its way.' }
  },

  readPasswordToken: (ctx, { body }) => describeToken(ctx, body.token),

  resetPassword: prepared({
    prepare: (ctx, { body, request }) => hashChosen(ctx, { ...body, request }),
    perform: async (ctx, { body, request }, passwordHash) => {
      await resetPassword(ctx, { resetPasswordToken: body.resetPasswordToken, passwordHash, request })
      return { message: 'Password changed. Sign in with the new password.' }
    },
  }),

  issueResetLink: prepared({
    prepare: (ctx, { params, body, request }) => checkLinkIssuer(ctx, { ...params, ...body, request }),
    perform: (ctx, { params }) => issueResetLink(ctx, params.id),
  }),

  requireReset: async (ctx, { params }) => {
    const operator = await requireReset(ctx, params.id)
    return { member: asOthersSee(await operatorWithRoles(ctx, operator)) }
  },
}

const viewOf = async (ctx: Context, operator: OperatorRow) => asOthersSee(await operatorWithRoles(ctx, operator))

export const accountHandlers: Handlers<typeof accountRoutes> = {
  inviteMember: prepared({
    prepare: (ctx, { scope, body, request }) => hashFirstPassword(ctx, scope, { ...body, request }),
    perform: async (ctx, { scope, body }, passwordHash) => {
      const { operator, invitation } = await inviteMember(ctx, scope, { ...body, passwordHash })
      return { member: await viewOf(ctx, operator), invitation }
    },
  }),

  changeMember: async (ctx, { params, body }) => viewOf(ctx, await changeMember(ctx, params.id, body)),

  revokeAccess: async (ctx, { params, body }) => ({
    member: await viewOf(ctx, await revokeAccess(ctx, params.id, body.externalPlatformID)),
  }),

  deleteMember: async (ctx, { params }) => {
    await deleteMember(ctx, params.id)
    return { message: 'Member deleted.' }
  },

  sendInvitation: async (ctx, { params }) => ({ invitation: await sendInvitation(ctx, params.id) }),

  listMemberSessions: async (ctx, { params }) =>
    (await listSessionsOf(ctx, params.id)).map((row) => sessionView(row, ctx.caller)),

  endMemberSessions: async (ctx, { params }) => {
    await signOutMember(ctx, params.id)
    return { message: 'Signed out everywhere.' }
  },
}

export const factorHandlers: Handlers<typeof factorRoutes> = {
  finishSignIn: async (ctx, { body, request }) => signedInView(await finishSignIn(ctx, { ...body, request })),

  askPasskey: (ctx) => askPasskey(ctx),

  signInWithPasskey: async (ctx, { body, request }) => signedInView(await signInWithPasskey(ctx, { ...body, request })),

  getOwnFactors: (ctx) => readOwnFactors(ctx),

  beginTotp: (ctx) => beginTotp(ctx),

  confirmTotp: prepared({
    prepare: (ctx, { body }) => checkApp(ctx, body.code),
    perform: async (ctx, _input, checked) => ({ backupCodes: await confirmTotp(ctx, checked) }),
  }),

  removeTotp: async (ctx) => {
    await removeTotp(ctx)
    return { message: 'Authenticator app removed.' }
  },

  renewBackupCodes: async (ctx) => ({ backupCodes: await renewBackupCodes(ctx) }),

  beginPasskey: (ctx) => beginPasskey(ctx),

  addPasskey: prepared({
    prepare: (ctx, { body }) => checkMade(ctx, body),
    perform: (ctx, { body: { challengeId, name } }, made) => addPasskey(ctx, { challengeId, name, made }),
  }),

  renamePasskey: async (ctx, { params, body }) => {
    await renamePasskey(ctx, params.id, body.name)
    return { message: 'Passkey renamed.' }
  },

  removePasskey: async (ctx, { params }) => {
    await removePasskey(ctx, params.id)
    return { message: 'Passkey removed.' }
  },

  removeSecondFactor: async (ctx, { params }) => ({ member: await viewOf(ctx, await removeFactorsOf(ctx, params.id)) }),
}
