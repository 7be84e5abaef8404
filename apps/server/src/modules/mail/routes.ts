import type { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import { type Handlers, lastChange } from '../../http/handlers.ts'
import { readMailServer, removeMailServer, saveMailServer, testMailServer } from './service.ts'
import { mailServerView } from './view.ts'

export const mailHandlers: Handlers<typeof mailRoutes> = {
  getMailServer: async (ctx) => mailServerView(await readMailServer(ctx)),

  saveMailServer: async (ctx, { body, request }) =>
    mailServerView(await saveMailServer(ctx, body, lastChange(request))),

  removeMailServer: async (ctx) => {
    await removeMailServer(ctx)
    return { message: 'The mail server is removed. Kassa sends no mails.' }
  },

  testMailServer: async (ctx, { body }) => {
    const to = body.to ?? (ctx.caller.kind === 'operator' ? ctx.caller.email : fail('UNAUTHORIZED'))
    return testMailServer(ctx, body, to)
  },
}
