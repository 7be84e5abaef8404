import type { ApiKey } from '@kassa/contract/api-keys/schemas.ts'
import type { Readiness } from '@kassa/contract/payments/readiness.ts'
import type { PaymentSummary } from '@kassa/contract/payments/schemas.ts'
import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { missingText, obstacleText } from '../../labels/readiness-texts.ts'
import { paths } from '../../lib/paths.ts'
import { listText } from '../../lib/text/list-text.ts'

/** What is known of a project; a part the operator may not read is absent, and its step with it. */
export type SetupFacts = {
  readonly projectId: number
  readonly isSandbox: boolean
  /** Whether the operator has a second factor. */
  readonly hasFactor: boolean
  readonly readiness: Readiness
  readonly wallets?: readonly Wallet[] | undefined
  readonly coldWallets?: readonly Wallet[] | undefined
  readonly apiKeys?: readonly ApiKey[] | undefined
  readonly webhooks?: readonly Webhook[] | undefined
  readonly summary?: PaymentSummary | undefined
  /** The support address for customers; empty until it is set. Absent for operators who may not change it. */
  readonly supportEmail?: string | undefined
  /** Whether the server can send e-mail. Absent on the sandbox, which keeps what it sends, and for those who may not change it. */
  readonly hasMailServer?: boolean | undefined
}

export type SetupStep = {
  readonly id: 'factor' | 'wallet' | 'cold' | 'assets' | 'nodes' | 'test' | 'shop' | 'support' | 'address' | 'mail'
  readonly title: string
  /** What is there, or what is missing: one fact. */
  readonly fact: string
  readonly isDone: boolean
  /** Money cannot be taken for real without it. */
  readonly isNeeded: boolean
  /** Where it is done; the test payment is done on the spot. */
  readonly href?: string
  readonly action: string
  /** Why it cannot be done yet. */
  readonly blockedBy?: string | undefined
}

type Missing = Readiness['missing'][number]
type Reason = Readiness['chains'][number]['reasons'][number]

/** Returns the steps from an empty project to a first real payment, each ticked by what is there. */
export function setupSteps(facts: SetupFacts): SetupStep[] {
  return [
    walletStep(facts),
    coldStep(facts),
    assetStep(facts),
    nodeStep(facts),
    testStep(facts),
    factorStep(facts),
    shopStep(facts),
    supportStep(facts),
    addressStep(facts),
    mailStep(facts),
  ].filter((step) => step !== undefined)
}

function factorStep({ hasFactor }: SetupFacts): SetupStep {
  return {
    id: 'factor',
    title: t`Add a second factor`,
    fact: hasFactor ? t`A stolen password alone opens nothing.` : t`Your password alone opens everything.`,
    isDone: hasFactor,
    isNeeded: false,
    href: paths.security(),
    action: hasFactor ? t`Security` : t`Add a second factor`,
  }
}

function walletStep({ projectId, wallets, readiness }: SetupFacts): SetupStep | undefined {
  if (wallets === undefined) return undefined
  const linked = wallets.filter(({ externalPlatformWallets: links }) =>
    links.some((link) => link.externalPlatformID === projectId),
  )
  const names = listText(
    linked.map(({ name }) => name),
    'conjunction',
  )
  const missing = find(readiness, 'wallet')
  return {
    id: 'wallet',
    title: t`Choose where customers pay`,
    fact: missing
      ? missingText(missing)
      : linked.length === 0
        ? t`No deposit wallet yet.`
        : t`Deposits go to ${names}.`,
    isDone: missing === undefined && linked.length > 0,
    isNeeded: true,
    href: missing?.fixPath ?? paths.depositWallets(),
    action: linked.length === 0 ? t`Add a deposit wallet` : t`Deposit wallets`,
  }
}

/** Taking payments does not need it; bringing the money home does. */
function coldStep({ coldWallets }: SetupFacts): SetupStep | undefined {
  if (coldWallets === undefined) return undefined
  const names = listText(
    coldWallets.filter(({ status }) => status === 'active').map(({ name }) => name),
    'conjunction',
  )
  return {
    id: 'cold',
    title: t`Choose where you receive funds`,
    fact:
      names === ''
        ? t`No cold address: deposits stay where customers paid them.`
        : t`Deposits are swept to ${names}, whose keys only you have.`,
    isDone: names !== '',
    isNeeded: false,
    href: paths.depositWallets(),
    action: t`Add a cold address`,
  }
}

function assetStep({ readiness }: SetupFacts): SetupStep | undefined {
  const missing = find(readiness, 'asset')
  if (missing === undefined && readiness.chains.length === 0) return undefined
  const networks = readiness.chains.length
  return {
    id: 'assets',
    title: t`Accept assets`,
    fact: missing
      ? missingText(missing)
      : t`Accepted on ${plural(networks, { one: '# network', other: '# networks' })}.`,
    isDone: missing === undefined,
    isNeeded: false,
    ...(missing && { href: missing.fixPath }),
    action: t`Accept assets`,
  }
}

function nodeStep({ readiness }: SetupFacts): SetupStep {
  const { chains } = readiness
  const missing = find(readiness, 'node')
  const all = chains.length
  const working = chains.filter(({ reasons }) => !reasons.some(isOfNode)).length
  const trouble = chains.flatMap(({ reasons }) => reasons).find(isOfNode)
  const counted = t`${working} of ${plural(all, { one: '# network', other: '# networks' })} ready.`
  return {
    id: 'nodes',
    title: t`Check the nodes`,
    fact: missing ? missingText(missing) : trouble === undefined ? counted : `${counted} ${obstacleText(trouble)}`,
    isDone: missing === undefined && working > 0,
    isNeeded: true,
    ...(missing && { href: missing.fixPath }),
    action: t`Add a node`,
  }
}

/** Wallets have a step of their own. */
function isOfNode({ kind }: Reason): boolean {
  return kind !== 'no_wallet' && kind !== 'no_addresses'
}

function testStep({ isSandbox, readiness, summary }: SetupFacts): SetupStep | undefined {
  if (!isSandbox || summary === undefined) return undefined
  const isDone = summary.closedCount > 0
  return {
    id: 'test',
    title: t`Make a test payment`,
    fact: testFact(summary, readiness.ready),
    isDone,
    isNeeded: false,
    action: t`Make a test payment`,
    blockedBy: readiness.missing[0] && missingText(readiness.missing[0]),
  }
}

function testFact({ closedCount, totalCount }: PaymentSummary, isReady: boolean): string {
  if (closedCount > 0) return t`${plural(closedCount, { one: '# payment', other: '# payments' })} paid.`
  if (totalCount > 0) return t`A link is made; nobody has paid it yet.`
  return isReady ? t`See $10 travel from a link to “Paid”.` : t`Possible once the steps marked “needed” are done.`
}

function shopStep({ projectId, apiKeys, webhooks }: SetupFacts): SetupStep | undefined {
  if (apiKeys === undefined || webhooks === undefined) return undefined
  const keys = apiKeys.filter(({ status }) => status === 'active').length
  const endpoints = webhooks.filter(({ status }) => status === 'active').length
  return {
    id: 'shop',
    title: t`Connect your shop`,
    fact: t`${plural(keys, { 0: 'No API key', one: '# API key', other: '# API keys' })}, ${plural(endpoints, { 0: 'no webhook', one: '# webhook', other: '# webhooks' })}.`,
    isDone: keys > 0 && endpoints > 0,
    isNeeded: false,
    href: paths.developers({ tabId: keys === 0 ? 'apiKeys' : 'webhooks', projectId: String(projectId) }),
    action: keys === 0 ? t`Create an API key` : t`Add a webhook`,
  }
}

function supportStep({ projectId, supportEmail }: SetupFacts): SetupStep | undefined {
  if (supportEmail === undefined) return undefined
  return {
    id: 'support',
    title: t`Say where customers get help`,
    fact:
      supportEmail === ''
        ? t`No support e-mail: the payment page names nobody to write to.`
        : t`Customers write to ${supportEmail}.`,
    isDone: supportEmail !== '',
    isNeeded: false,
    href: paths.projectSettings({ projectId }, { tab: 'projectDetails' }),
    action: t`Add a support e-mail`,
  }
}

function addressStep({ readiness }: SetupFacts): SetupStep | undefined {
  const missing = find(readiness, 'site_url')
  if (missing === undefined) return undefined
  return {
    id: 'address',
    title: t`Set the public URL`,
    fact: missingText(missing),
    isDone: false,
    isNeeded: true,
    href: missing.fixPath,
    action: t`Set the URL`,
  }
}

function mailStep({ hasMailServer }: SetupFacts): SetupStep | undefined {
  if (hasMailServer === undefined) return undefined
  return {
    id: 'mail',
    title: t`Set up e-mail`,
    fact: hasMailServer
      ? t`This server can send e-mail.`
      : t`No mail server: nobody gets a receipt, an invitation or a new password by e-mail.`,
    isDone: hasMailServer,
    isNeeded: false,
    href: paths.email(),
    action: t`Set up e-mail`,
  }
}

function find({ missing }: Readiness, kind: Missing['kind']): Missing | undefined {
  return missing.find((one) => one.kind === kind)
}
