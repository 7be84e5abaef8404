import { readCause, withText } from '@kassa/contract/kit/reason.ts'
import { EVENT_LOG_FAILURES, REWARD_REFUSALS } from '@kassa/contract/referral/reasons.ts'
import type { EventLog, EventLogRow } from '@kassa/contract/referral/schemas.ts'

import { currencyOf } from '../rewards/currencies.ts'
import { amountText } from '../rewards/view.ts'
import type { FoundLog, UseRow } from './store.ts'

/** A log as the contract shows it. */
export function logView(row: FoundLog): EventLog {
  const cause = row.failure_code === null ? null : readCause(EVENT_LOG_FAILURES, row.failure_code, row.failure_params)
  const failure = cause && withText(EVENT_LOG_FAILURES, cause)
  return {
    id: Number(row.id),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    project: row.project_name,
    eventKey: row.event_key,
    memberID: row.member_id,
    memberReferenceID: row.reference_id,
    amount: row.amount === null ? null : amountText(row.amount),
    triggeredAt: row.triggered_at,
    data: row.data,
    status: row.status,
    failureReason: failure?.text ?? null,
    failure,
    externalID: row.external_id,
    referenceOfPayment: row.payment_reference,
  }
}

/** A log with what each campaign made of it. */
export function logRowView(row: FoundLog, uses: readonly UseRow[]): EventLogRow {
  return {
    ...logView(row),
    memberEmail: row.email,
    uses: uses.map((use) => {
      const cause = use.reason_code === null ? null : readCause(REWARD_REFUSALS, use.reason_code, use.reason_params)
      return {
        campaignID: use.campaign_id,
        name: use.name,
        currencyCode: currencyOf(use.unit_id),
        rewarded: use.units === null ? null : amountText(use.units),
        refusal: cause && withText(REWARD_REFUSALS, cause),
      }
    }),
  }
}
