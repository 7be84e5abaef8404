/** Every event of api.md 6.1 that this server can emit: its name and whether a webhook endpoint gets it. */
export type EventEntry = {
  /** `default`: to every endpoint that names no events · `request`: only to those that list it · `never`: not delivered. */
  readonly delivered: 'default' | 'request' | 'never'
  readonly when: string
}

export const EVENTS = {
  'payment.created': { delivered: 'request', when: 'A payment link was made.' },
  'payment.pinned': { delivered: 'request', when: 'The customer chose asset and network; the price is locked.' },
  'payment.detected': { delivered: 'default', when: 'A transfer was seen and is not final yet; once per deposit.' },
  'payment.partially_filled': { delivered: 'default', when: 'Final money arrived, less than was asked.' },
  'payment.filled': { delivered: 'default', when: 'Final money covers what was asked.' },
  'payment.over_filled': { delivered: 'default', when: 'Final money exceeds what was asked.' },
  'payment.expired_partial': { delivered: 'default', when: 'Time ran out on a partly paid request.' },
  'payment.cancelled': { delivered: 'default', when: 'The request expired, was superseded or was cancelled.' },
  'payment.late_deposit': { delivered: 'default', when: 'Final money arrived after the grace period.' },
  'payment.reopened': {
    delivered: 'default',
    when: 'Final money was removed: by a reorganisation, or by an operator.',
  },
  'payment.resolved': {
    delivered: 'never',
    when: 'An operator decided about a payment: what, and why, for the timeline.',
  },
  'payment.extended': {
    delivered: 'never',
    when: 'An operator moved the end of an open payment to a later time, for the timeline.',
  },
  'payment.reminded': {
    delivered: 'never',
    when: 'The customer of an open payment was reminded of it by e-mail, for the timeline.',
  },
  'payment.receipt_mailed': {
    delivered: 'never',
    when: 'The receipt of a paid payment was mailed because whoever has the link asked for it, for the timeline.',
  },
  'payment.refund_claimed': {
    delivered: 'never',
    when: 'Whoever has the link named the address that money of the payment should be returned to, for the timeline.',
  },
  'payment.refund_claim_declined': {
    delivered: 'never',
    when: 'An operator declined the refund that the payer claims: why, for the timeline.',
  },
  'payout.pending-approval': { delivered: 'default', when: 'A payout was requested and waits for approval.' },
  'payout.pending': { delivered: 'default', when: 'A payout was decided and its money is held; it waits to be sent.' },
  'payout.initiated': { delivered: 'default', when: 'A payout was signed.' },
  'payout.sent': {
    delivered: 'default',
    when: 'A node accepted the transaction of a payout, or a reorganisation dropped its block again.',
  },
  'payout.processed': { delivered: 'default', when: 'A payout is final on its blockchain.' },
  'payout.failed': { delivered: 'default', when: 'A payout failed for good; its money is free again.' },
  'payout.rejected': { delivered: 'default', when: 'An operator rejected a payout.' },
  'payout.cancelled': { delivered: 'default', when: 'A payout was cancelled before it was signed.' },
  'payout.approved': { delivered: 'never', when: 'An operator approved a payout: who and how, for its timeline.' },
  'payout.refund-requested': {
    delivered: 'never',
    when: 'A payout is to give money of a payment back: which deposits, the payments decide in the same transaction.',
  },
  'referral.event_logged': { delivered: 'request', when: 'A shop reported what a customer of the programme did.' },
  'referral.reward_earned': { delivered: 'request', when: 'A campaign gave a reward.' },
  'referral.reward_reversed': {
    delivered: 'request',
    when: 'A reward became smaller or was taken back, because the sale was.',
  },
  'campaign.changed': { delivered: 'never', when: 'A campaign was made, changed, paused, resumed or archived.' },
  'referral.changed': { delivered: 'never', when: 'An event or a promoter of the programme was made or changed.' },
  'send.moved': {
    delivered: 'never',
    when: 'A transaction of a hot wallet was accepted by a node, decided by its blockchain, or reopened by a reorganisation.',
  },
  'sweep.approval_requested': {
    delivered: 'never',
    when: 'A batch of addresses was locked until their keys have signed.',
  },
  'sweep.initiated': { delivered: 'never', when: 'A sweep was signed, or handed to the wallet of an operator.' },
  'sweep.broadcast': { delivered: 'never', when: 'The transaction of a sweep was accepted by a node, or recorded.' },
  'sweep.cancelled': { delivered: 'never', when: 'A sweep was given up before it had a transaction.' },
  'sweep.completed': { delivered: 'request', when: 'A sweep is final on its blockchain: money is in the cold wallet.' },
  'sweep.failed': { delivered: 'request', when: 'A sweep failed for good; its deposits stay where they were.' },
  'webhook.ping': { delivered: 'never', when: 'An operator tests an endpoint.' },
  'webhook.changed': { delivered: 'never', when: 'An endpoint was added or changed.' },
  'project.created': { delivered: 'never', when: 'A project was added.' },
  'project.changed': { delivered: 'never', when: 'A project was changed.' },
  'configuration.changed': { delivered: 'never', when: 'A setting was changed.' },
  'blockchain.changed': { delivered: 'never', when: 'A blockchain or one of its nodes was changed.' },
  'vault.changed': { delivered: 'never', when: 'A vault was added, changed, unlocked, locked, rotated or deleted.' },
  'wallet.changed': { delivered: 'never', when: 'A wallet was added, linked or changed.' },
  'contract.changed': {
    delivered: 'never',
    when: 'The chain says something new of a sweep contract: a proposal, another collector, another owner.',
  },
  'recipient.changed': { delivered: 'never', when: 'A recipient was added, verified, changed, blocked or deleted.' },
  'payout_policy.changed': { delivered: 'never', when: 'The payout policy of a project was changed.' },
  'customer.changed': { delivered: 'never', when: 'A customer was added or changed.' },
  'api_key.created': { delivered: 'never', when: 'An API key was made.' },
  'api_key.changed': { delivered: 'never', when: 'An API key was changed or revoked.' },
  'operator.created': { delivered: 'never', when: 'An operator was added.' },
  'operator.invited': { delivered: 'never', when: 'An invitation was sent, or shown to the member who made it.' },
  'operator.changed': { delivered: 'never', when: 'The name, e-mail or display settings of an operator changed.' },
  'operator.roles_changed': { delivered: 'never', when: 'What an operator may do changed.' },
  'operator.revoked': { delivered: 'never', when: 'The access of an operator was taken away.' },
  'operator.activated': { delivered: 'never', when: 'An operator got the access back.' },
  'operator.deleted': { delivered: 'never', when: 'An operator was deleted.' },
  'operator.signed_out': { delivered: 'never', when: 'An administrator signed an operator out everywhere.' },
  'role.changed': { delivered: 'never', when: 'A custom role was made, changed or deleted.' },
  'operator.signed_in': { delivered: 'never', when: 'An operator signed in.' },
  'operator.reset_link_issued': { delivered: 'never', when: 'An administrator made a link for a new password.' },
  'operator.reset_required': { delivered: 'never', when: 'An administrator asked an operator for a new password.' },
  'operator.second_factor_changed': { delivered: 'never', when: 'An operator got or lost a second factor.' },
  'operator.password_changed': { delivered: 'never', when: 'An operator chose another password.' },
} as const satisfies Record<string, EventEntry>

export type EventType = keyof typeof EVENTS

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]
