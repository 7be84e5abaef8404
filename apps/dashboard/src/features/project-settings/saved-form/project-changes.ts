import { ProjectChange } from '@kassa/contract/projects/schemas.ts'
import type { Project } from '@kassa/contract/projects/schemas.ts'
import { msg, t } from '@lingui/core/macro'

import type { ProjectBody } from '../../../api/project-changes.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { languageName, themeName } from './checkout-options.ts'

/** The texts of a project, as its forms name them; services have one name in every language. */
const TEXT_LABELS = {
  name: msg`Name`,
  website: msg`Website`,
  supportEmail: msg`Support e-mail`,
  successEndpoint: msg`Success URL`,
  cancelEndpoint: msg`Cancel URL`,
  frontendEndpoint: msg`Frontend URL`,
  webhookEndpoint: msg`Webhook URL`,
  twitterURL: 'X / Twitter',
  discordURL: 'Discord',
  linkedInURL: 'LinkedIn',
  telegramURL: 'Telegram',
  brandColor: msg`Brand colour`,
  checkoutLanguage: msg`Language of the payment page`,
  checkoutTheme: msg`Colours of the payment page`,
  backText: msg`Text of the back button`,
  emailSendRequestFrom: msg`Sender`,
  emailSendRequestReplyTo: msg`Reply-to`,
} as const

const CHOICE_LABELS = {
  defaultPaymentBlockchainID: msg`Default network`,
  defaultPaymentBlockchainCurrencyID: msg`Default currency`,
} as const

const LABELS = { ...TEXT_LABELS, ...CHOICE_LABELS, logo: msg`Logo` } as const

type TextName = keyof typeof TEXT_LABELS
type ChoiceName = keyof typeof CHOICE_LABELS
export type ValueName = keyof typeof LABELS

const TEXTS = Object.keys(TEXT_LABELS) as TextName[]
const CHOICES = Object.keys(CHOICE_LABELS) as ChoiceName[]

/** A logo: where the saved one is, empty for none, and a new file that is not saved yet. */
export type LogoValue = { readonly path: string; readonly file: File | undefined }

export type ProjectValues = Readonly<Record<TextName | ChoiceName, string>> & { readonly logo: LogoValue }

/** Returns the form's values of a project; an id that is not set is empty text. */
export function valuesOf(project: Project): ProjectValues {
  const choice = (id: number | null) => (id === null ? '' : String(id))
  return {
    ...(Object.fromEntries(TEXTS.map((name) => [name, project[name]])) as Record<TextName, string>),
    defaultPaymentBlockchainID: choice(project.defaultPaymentBlockchainID),
    defaultPaymentBlockchainCurrencyID: choice(project.defaultPaymentBlockchainCurrencyID),
    logo: { path: project.logoPath, file: undefined },
  }
}

/** Returns the names of the values that differ from the project's. */
export function changedNames(project: Project, values: ProjectValues): readonly ValueName[] {
  const before = valuesOf(project)
  const isNewLogo = values.logo.file !== undefined || values.logo.path !== before.logo.path
  return [
    ...TEXTS.filter((name) => values[name].trim() !== before[name]),
    ...CHOICES.filter((name) => values[name] !== before[name]),
    ...(isNewLogo ? (['logo'] as const) : []),
  ]
}

/** Returns what differs from the project: a field that was emptied clears, one that was left alone is not sent. */
export function changesOf(project: Project, values: ProjectValues): ProjectBody {
  const changes: Record<string, string | number | null | File> = {}
  for (const name of changedNames(project, values)) {
    if (name !== 'logo') changes[name] = isChoice(name) ? idOf(values[name]) : values[name].trim()
    else if (values.logo.file === undefined) changes.logoPath = values.logo.path
    else changes.logo = values.logo.file
  }
  return changes
}

/** Returns the text of every changed field that the server would refuse. */
export function changeErrors(changes: ProjectBody): Record<string, string> {
  return fieldErrors(ProjectChange, changes)
}

/** Returns what a value of a project is called. */
export function projectLabel(name: ValueName): string {
  const label = LABELS[name]
  return typeof label === 'string' ? label : t(label)
}

/** Returns a value in words, for a comparison. */
export function shownValue(name: ValueName, values: ProjectValues): string {
  if (name === 'logo') {
    if (values.logo.file !== undefined) return t`A new file`
    return values.logo.path === '' ? t`No logo` : values.logo.path
  }
  if (name === 'defaultPaymentBlockchainID') return networkName(values[name])
  if (name === 'checkoutLanguage') return languageName(values[name])
  if (name === 'checkoutTheme') return themeName(values[name])
  const value = values[name]
  if (name === 'defaultPaymentBlockchainCurrencyID' && value !== '') return t`Currency number ${value}`
  return value
}

function isChoice(name: ValueName): name is ChoiceName {
  return name in CHOICE_LABELS
}

function idOf(text: string): number | null {
  return text === '' ? null : Number(text)
}
