import * as z from 'zod/mini'

import { id, Message } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { Operator } from '../operators/schemas.ts'
import { ForgotPassword, OwnPassword, PasswordToken, PasswordTokenInput, ResetLink, ResetPassword } from './schemas.ts'

const memberPath = z.object({ id })

/** How people get a password who have none, or forgot it (api.md 2.4). Bodies are neither stored nor hashed. */
export const passwordRoutes = {
  forgotPassword: route({
    id: 'A10',
    methods: ['POST'],
    paths: ['/member/forgot-password'],
    summary: 'Send a link to choose a new password, if the address is known',
    access: { public: true },
    rate: 'reset',
    body: ForgotPassword,
    response: Message,
    errors: ['SMTP_NOT_CONFIGURED', 'SITE_URL_MISSING'],
    keyless: true,
  }),
  resetPassword: route({
    id: 'A11',
    methods: ['POST'],
    paths: ['/member/reset-password'],
    summary: 'Choose a password with a link',
    access: { public: true },
    rate: 'reset',
    body: ResetPassword,
    response: Message,
    errors: ['RESET_TOKEN_INVALID'],
    keyless: true,
  }),
  readPasswordToken: route({
    id: 'A13',
    methods: ['POST'],
    paths: ['/member/password-token'],
    summary: 'Say what a link is for, without using it',
    access: { public: true },
    rate: 'reset',
    body: PasswordTokenInput,
    response: PasswordToken,
    errors: ['RESET_TOKEN_INVALID'],
    repeatable: true,
  }),
  issueResetLink: route({
    id: 'O13',
    methods: ['POST'],
    paths: ['/member/{id}/reset-link'],
    summary: 'Make a link with which a member chooses a new password, where no mail can be sent',
    access: { permission: 'operator:write', stepUp: 'S' },
    rate: 'auth',
    params: memberPath,
    body: OwnPassword,
    response: ResetLink,
    errors: [
      'MEMBER_NOT_FOUND',
      'ROLE_ABOVE_YOURS',
      'CANNOT_CHANGE_SELF',
      'CURRENT_PASSWORD_WRONG',
      'SIGN_IN_THROTTLED',
      'SITE_URL_MISSING',
    ],
    keyless: true,
  }),
  requireReset: route({
    id: 'O14',
    methods: ['POST'],
    paths: ['/member/{id}/require-reset'],
    summary: 'Let a member choose a new password before anything else',
    access: { permission: 'operator:write', stepUp: 'S' },
    rate: 'dashboard',
    params: memberPath,
    response: z.object({ member: Operator }),
    errors: ['MEMBER_NOT_FOUND', 'ROLE_ABOVE_YOURS', 'CANNOT_CHANGE_SELF'],
  }),
} as const
