import type { Permission } from '@kassa/contract/permissions.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** A subject, and what each of its permissions allows. */
export type PermissionGroup = {
  readonly title: MessageDescriptor
  readonly permissions: readonly (readonly [Permission, MessageDescriptor])[]
}

/** Every permission in words, by subject, in the order they are shown. */
export const PERMISSION_GROUPS: readonly PermissionGroup[] = [
  {
    title: msg`Projects`,
    permissions: [
      ['project:read', msg`See a project, its branding and settings`],
      ['project:create', msg`Add a project, and lead it`],
      ['project:update', msg`Change settings, branding, payment policy and accepted assets`],
      ['project:archive', msg`Archive a project, and bring it back`],
    ],
  },
  {
    title: msg`Customers`,
    permissions: [
      ['customer:read', msg`See who pays`],
      ['customer:write', msg`Add, change and block customers`],
    ],
  },
  {
    title: msg`People`,
    permissions: [
      ['operator:read', msg`See members and their roles`],
      ['operator:write', msg`Invite members, give them roles, revoke and remove them`],
      ['role:read', msg`See roles and what they permit`],
      ['role:write', msg`Make and change custom roles`],
    ],
  },
  {
    title: msg`Payments`,
    permissions: [
      ['payment:read', msg`See payments, their summary and timeline`],
      ['payment:create', msg`Create payment links`],
      ['payment:cancel', msg`Cancel an open link`],
      ['payment:resolve', msg`Assign deposits and accept underpayments`],
      ['payment:export', msg`Export payments`],
      ['deposit:read', msg`See deposits, and those that found no payment`],
    ],
  },
  {
    title: msg`Payouts`,
    permissions: [
      ['payout:read', msg`See payouts`],
      ['payout:create', msg`Request a payout`],
      ['payout:approve', msg`Approve and reject payouts`],
      ['payout:cancel', msg`Cancel a payout before it is sent`],
      ['payout_policy:write', msg`Set limits, approvals and what is approved by itself`],
      ['recipient:read', msg`See the address book`],
      ['recipient:write', msg`Add, verify and remove recipients`],
    ],
  },
  {
    title: msg`Referrals`,
    permissions: [
      ['referral:read', msg`See campaigns, promoters and rewards`],
      ['referral:write', msg`Run campaigns, events and promoters`],
      ['referral_payout:approve', msg`Approve and reject referral payouts`],
    ],
  },
  {
    title: msg`Wallets and funds`,
    permissions: [
      ['wallet:read', msg`See wallets and balances, public keys masked`],
      ['wallet:write', msg`Add, name and activate wallets`],
      ['wallet:link', msg`Link wallets to a project`],
      ['address:read', msg`See deposit addresses`],
      ['vault:read', msg`See vaults and what they were used for`],
      ['vault:write', msg`Create, unlock and rotate vaults`],
      ['contract:read', msg`See contracts and their addresses`],
      ['contract:write', msg`Register contracts`],
      ['sweep:read', msg`See balances, sweeps and plans`],
      ['sweep:write', msg`Approve, start, cancel and retry sweeps`],
    ],
  },
  {
    title: msg`Developers`,
    permissions: [
      ['webhook:read', msg`See endpoints, deliveries and events`],
      ['webhook:write', msg`Set up endpoints and their secrets`],
      ['webhook:resend', msg`Send events again, and test endpoints`],
      ['api_key:read', msg`See API keys, never their value`],
      ['api_key:write', msg`Create, change and revoke API keys`],
    ],
  },
  {
    title: msg`Figures and records`,
    permissions: [
      ['analytics:read', msg`See the dashboards`],
      ['ledger:read', msg`See the journal and its balances`],
      ['audit:read', msg`See the activity log`],
      ['audit:export', msg`Export the activity log and verify it`],
    ],
  },
  {
    title: msg`Server`,
    permissions: [
      ['settings:read', msg`See the configuration, without secrets`],
      ['settings:write', msg`Change the configuration and templates, try the mail server`],
      ['security:write', msg`Set the public address, origins, mail server, sessions and second factor`],
      ['blockchain:read', msg`See blockchains, currencies and nodes`],
      ['blockchain:write', msg`Change nodes, confirmations and limits of assets`],
      ['system:read', msg`See workers and the health of the server`],
      ['system:operate', msg`Restart workers and pair a signing device`],
      ['sandbox:use', msg`Use the sandbox’s payer and chain`],
    ],
  },
]
