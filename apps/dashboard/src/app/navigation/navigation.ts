import type { Permission } from '@kassa/contract/permissions.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { LucideIcon } from 'lucide-react'
import {
  ArrowUpRight,
  CircleDollarSign,
  CodeXml,
  LayoutDashboard,
  Merge,
  Settings,
  TrendingUp,
  Wallet,
} from 'lucide-react'

/** A link of the menu. It is lit while its id is contained in the lower-cased path (specification §2). */
export type NavLeaf = {
  readonly label: MessageDescriptor
  readonly id: string
  /** `{projectId}` stands for the current project. */
  readonly href: string
  readonly permission?: Permission
  /** Its screen says what it will hold. */
  readonly isPlanned?: true
  /** Its page's name where that says more than its label. */
  readonly title?: MessageDescriptor
}

export type NavEntry = {
  readonly label: MessageDescriptor
  readonly icon: LucideIcon
  /** Lights the entry; a leaf of its own when it has a link, else the part of the path its leaves share. */
  readonly id: string
  readonly href?: string
  readonly permission?: Permission
  readonly isPlanned?: true
  readonly leaves?: readonly NavLeaf[]
  /** Opens the documentation in a new tab below this entry. */
  readonly withDocumentation?: true
}

export type NavGroup = { readonly heading?: MessageDescriptor; readonly entries: readonly NavEntry[] }

export const NAVIGATION: readonly NavGroup[] = [
  {
    entries: [
      {
        label: msg`Dashboard`,
        icon: LayoutDashboard,
        id: 'dashboard',
        href: '/project/{projectId}/dashboard',
        permission: 'analytics:read',
      },
      {
        label: msg`Payments`,
        icon: CircleDollarSign,
        id: '/payments/',
        leaves: [
          {
            label: msg`All payments`,
            id: 'allpayments',
            href: '/project/{projectId}/payments/allPayments',
            permission: 'payment:read',
          },
          {
            label: msg`Create payment link`,
            id: 'createpaymentlink',
            href: '/project/{projectId}/payments/createPaymentLink',
            permission: 'payment:create',
          },
        ],
      },
      {
        label: msg`Growth`,
        icon: TrendingUp,
        id: '/growth/',
        leaves: [
          {
            label: msg`Dashboard`,
            title: msg`Growth dashboard`,
            id: 'growth/analytics',
            href: '/project/{projectId}/growth/analytics',
            permission: 'referral:read',
            isPlanned: true,
          },
          {
            label: msg`Campaigns`,
            id: 'growth/campaigns',
            href: '/project/{projectId}/growth/campaigns',
            permission: 'referral:read',
            isPlanned: true,
          },
        ],
      },
    ],
  },
  {
    heading: msg`ASSETS`,
    entries: [
      {
        label: msg`Wallet management`,
        icon: Wallet,
        id: 'managewallet',
        leaves: [
          {
            label: msg`Deposit wallets`,
            id: 'managewallet/deposit-wallet',
            href: '/manageWallet/deposit-wallet',
            permission: 'wallet:read',
          },
          {
            label: msg`Hot wallets`,
            id: 'managewallet/hot-wallet',
            href: '/manageWallet/hot-wallet',
            permission: 'wallet:read',
            isPlanned: true,
          },
        ],
      },
      {
        label: msg`Funds Consolidation`,
        icon: Merge,
        id: 'sweepin',
        href: '/sweepIn?tabId=Funds',
        permission: 'sweep:read',
        isPlanned: true,
      },
      {
        label: msg`Withdraw`,
        icon: ArrowUpRight,
        id: 'withdraw',
        leaves: [
          {
            label: msg`Referral payouts`,
            id: 'withdraw/referral-payouts',
            href: '/withdraw/referral-payouts',
            permission: 'payout:read',
            isPlanned: true,
          },
          {
            label: msg`Payouts`,
            id: 'withdraw/payouts',
            href: '/withdraw/payouts',
            permission: 'payout:read',
            isPlanned: true,
          },
          {
            label: msg`Approvals`,
            id: 'withdraw/approvals',
            href: '/withdraw/approvals',
            permission: 'payout:read',
            isPlanned: true,
          },
          {
            label: msg`Recipients`,
            id: 'withdraw/recipients',
            href: '/withdraw/recipients',
            permission: 'recipient:read',
            isPlanned: true,
          },
        ],
      },
    ],
  },
  {
    heading: msg`GENERAL`,
    entries: [
      {
        label: msg`Developers`,
        icon: CodeXml,
        id: 'developers',
        href: '/developers',
        permission: 'api_key:read',
        withDocumentation: true,
      },
      { label: msg`Settings`, icon: Settings, id: 'settings', href: '/settings' },
    ],
  },
]

/** Whether nothing behind an entry is there yet. */
export function isAllPlanned({ isPlanned, leaves = [] }: NavEntry): boolean {
  return leaves.length === 0 ? isPlanned === true : leaves.every((leaf) => leaf.isPlanned === true)
}

/** Whether a menu item is lit on a path. Only the path counts, never the query. */
export function isActive(id: string, pathname: string): boolean {
  return pathname.toLowerCase().includes(id)
}

/** Fills the current project into a link that needs one. */
export function fillHref(href: string, projectId: string): string {
  return href.replace('{projectId}', encodeURIComponent(projectId))
}

/** Every link of the menu, in order. */
export function allLeaves(): NavLeaf[] {
  return NAVIGATION.flatMap(({ entries }) =>
    entries.flatMap(({ label, id, href, leaves = [] }) =>
      href === undefined ? leaves : [{ label, id, href }, ...leaves],
    ),
  )
}
