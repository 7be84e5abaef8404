import * as z from 'zod/mini'

import { id } from '../kit/codecs.ts'
import { exportInput } from '../kit/exports.ts'
import { oneOf } from '../kit/fields.ts'
import { alternatives, pageInput, spanInput } from '../kit/paging.ts'
import { AUDIT_ACTIONS, AUDIT_CATEGORIES, AUDIT_STATUSES } from './events.ts'

const PAIR = /^(READ|WRITE|LOGIN|SYSTEM):(SUCCESS|FAILURE|DENIED)$/i

const filters = {
  ...spanInput,
  memberIDs: alternatives(id),
  apiKeyIDs: alternatives(id),
  projectIDs: alternatives(id),
  /** Names of roles, such as `project_lead`: the role that the caller had then. */
  roles: alternatives(z.string()),
  eventCategory: alternatives(oneOf('Category', AUDIT_CATEGORIES)),
  eventName: alternatives(z.string()),
  apiAction: alternatives(oneOf('Action', AUDIT_ACTIONS)),
  apiStatus: alternatives(oneOf('Status', AUDIT_STATUSES)),
  /** Leaves out entries that match both, such as `LOGIN:SUCCESS`. */
  excludeActionStatusPairs: alternatives(
    z.string().check(z.regex(PAIR, { error: 'Write pairs such as LOGIN:SUCCESS' })),
  ),
  /** The number of an entry, an address, an e-mail address or the beginning of one, or a path such as `/member/7`. */
  query: z.optional(z.string().check(z.maxLength(200, { error: 'Search must be at most 200 characters long' }))),
}

export const AuditQuery = z.object({ ...pageInput, ...filters })

export type AuditQuery = z.output<typeof AuditQuery>

export const AuditExportQuery = z.object({ ...filters, ...exportInput })

export type AuditExportQuery = z.output<typeof AuditExportQuery>

export const AuditVerifyQuery = z.object({
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  timezone: spanInput.timezone,
})

export type AuditVerifyQuery = z.output<typeof AuditVerifyQuery>
