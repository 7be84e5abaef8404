import { fail } from '@kassa/contract/kit/api-error.ts'
import type { payoutPolicyRoutes } from '@kassa/contract/payout-policy/routes.ts'
import type { recipientsRoutes } from '@kassa/contract/recipients/routes.ts'
import type { RecipientSearch } from '@kassa/contract/recipients/schemas.ts'

import type { Context, ProjectScope } from '../../context.ts'
import type { Describe, Handlers } from '../../http/handlers.ts'
import { pastPayouts } from './lists/past.ts'
import { isRecipientInUse } from './record/service.ts'
import { changePayoutConfig, describeChange, dryRunDraft, readPayoutConfig } from './policy/service.ts'
import {
  changeRecipient,
  createRecipient,
  deleteRecipient,
  recipientView,
  searchRecipients,
  sendCode,
  verifyRecipient,
} from './recipients/service.ts'

export const recipientsHandlers: Handlers<typeof recipientsRoutes> = {
  listRecipients: (ctx, { scope, query }) => pageOf(ctx, scope, query),
  listRecipientsOfProject: (ctx, { scope, query }) => pageOf(ctx, scope, query),
  createRecipient: async (ctx, { scope: { projectIds }, body }) => {
    const { recipient, otpSent } = await createRecipient(ctx, projectIds, body)
    return { recipient: recipientView(recipient, projectIds), otpSent }
  },
  changeRecipient: async (ctx, { scope: { projectIds: allowed }, params, body }) =>
    recipientView(await changeRecipient(ctx, { id: params.id, allowed }, body), allowed),
  deleteRecipient: async (ctx, { scope, params }) => {
    await deleteRecipient(ctx, { id: params.id, allowed: scope.projectIds }, isRecipientInUse)
    return { message: 'Recipient deleted.' }
  },
  verifyRecipient: async (ctx, { scope: { projectIds: allowed }, body }) => {
    const recipient = await verifyRecipient(ctx, { id: Number(body.entityID), allowed }, body.otpCode)
    return { message: 'OTP verified.', recipient: recipientView(recipient, allowed) }
  },
  sendRecipientCode: async (ctx, { scope, params }) => ({
    otpSent: true,
    expiresAt: await sendCode(ctx, params.id, scope.projectIds),
  }),
}

export const payoutPolicyHandlers: Handlers<typeof payoutPolicyRoutes> = {
  getPayoutConfig: async (ctx, { scope }) => ({ payoutConfig: await readPayoutConfig(ctx, one(scope)) }),
  changePayoutConfig: async (ctx, { scope, body }) => ({
    payoutConfig: await changePayoutConfig(ctx, one(scope), body),
  }),
  dryRunPayoutConfig: (ctx, { scope, body }) => dryRunDraft(ctx, one(scope), body, pastPayouts),
}

/** What a change of the payout policy will do. */
export const describePayoutConfig: Describe<typeof payoutPolicyRoutes.changePayoutConfig> = (ctx, { scope, body }) =>
  describeChange(ctx, one(scope), body)

async function pageOf(ctx: Context, { projectIds }: ProjectScope, query: RecipientSearch) {
  const { recipients, ...page } = await searchRecipients(ctx, projectIds, query)
  const rows = recipients.map((row) => recipientView(row, projectIds))
  return { recipients: rows, data: rows, ...page }
}

function one({ projectId }: ProjectScope): number {
  return projectId ?? fail('PROJECT_REQUIRED')
}
