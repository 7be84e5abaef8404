import { DEFAULT_BRAND_COLOR } from '@kassa/contract/projects/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Check, QrCode } from 'lucide-react'
import type { ReactNode } from 'react'

import { Card } from '../../../ui/places/Card.tsx'
import { contrast, EDGE_RATIO, isColour, textOn } from './contrast.ts'

export type CheckoutPreviewProps = {
  readonly name: string
  readonly colour: string
  /** Where to draw the logo from; empty when there is none. */
  readonly logo: string
  readonly supportEmail: string
  /** The shop's own words for the way back; empty: those of the page. */
  readonly backText: string
  /** The project says where its customers go on: after paying, or at home. */
  readonly hasWayBack: boolean
}

type Brand = { readonly backgroundColor: string; readonly color: string; readonly borderColor: string }

/** The payment page in three of its states, as it would look with what the form holds now. */
export function CheckoutPreview(props: CheckoutPreviewProps) {
  const { name, colour, logo, supportEmail, backText, hasWayBack } = props
  const fill = isColour(colour) ? colour.toLowerCase() : DEFAULT_BRAND_COLOR
  const needsEdge = contrast(fill, '#ffffff') < EDGE_RATIO
  const brand = { backgroundColor: fill, color: textOn(fill), borderColor: needsEdge ? 'currentColor' : fill }
  const shop = name.trim() === '' ? t`Your shop` : name.trim()
  const page = (title: string, content: ReactNode) => (
    <Page title={title} shop={shop} logo={logo} brand={brand} supportEmail={supportEmail}>
      {content}
    </Page>
  )
  return (
    <Card title={t`Preview`} text={t`The payment page with these values, saved or not.`}>
      <div className="grid gap-4 sm:grid-cols-3">
        {page(
          t({ message: 'Choosing', comment: 'the payment page while a customer chooses how to pay' }),
          <>
            <p className="font-semibold">
              <Trans>Choose how to pay</Trans>
            </p>
            <Option currency="USDC" network="Base" sign="$" isChosen />
            <Option currency="ETH" network="Ethereum" sign="Ξ" />
            <BrandButton brand={brand}>
              <Trans>Continue</Trans>
            </BrandButton>
          </>,
        )}
        {page(
          t({ message: 'Paying', comment: 'the payment page while it waits for the money' }),
          <>
            <p>
              <Trans>
                Send exactly <span className="block text-h2 font-semibold">49 USDC</span> on Base
              </Trans>
            </p>
            <QrCode size={72} strokeWidth={1} className="self-center rounded-chip border border-border p-1" />
            <p className="font-mono break-all text-muted">0x5aAe b605 3F3E 94C9 b9A0 9f33 6694 35E7 Ef1B eAed</p>
          </>,
        )}
        {page(
          t({ message: 'Paid', comment: 'the payment page once the money is there' }),
          <>
            <Check
              size={32}
              className="rounded-full border border-success-border bg-success-tint p-1.5 text-success-text"
            />
            <p className="font-semibold">
              <Trans>Paid. Thank you.</Trans>
            </p>
            <p className="text-muted">
              <Trans>{shop} has your payment of 49 USDC.</Trans>
            </p>
            {hasWayBack && (
              <BrandButton brand={brand}>
                {backText === '' ? <Trans>Back to {shop}</Trans> : <bdi>{backText}</bdi>}
              </BrandButton>
            )}
          </>,
        )}
      </div>
    </Card>
  )
}

type PageProps = {
  readonly title: string
  readonly shop: string
  readonly logo: string
  readonly brand: Brand
  readonly supportEmail: string
  readonly children: ReactNode
}

/** One small page; nothing in it can be pressed. */
function Page({ title, shop, logo, brand, supportEmail, children }: PageProps) {
  return (
    <figure aria-label={t`Payment page: ${title}`} className="flex min-w-0 flex-col gap-2">
      <div
        inert
        className="flex min-h-72 flex-1 flex-col gap-3 overflow-hidden rounded-card border border-border bg-surface p-3 text-caption"
      >
        <div className="flex min-w-0 items-center gap-2 font-semibold">
          {logo === '' ? (
            <span
              style={brand}
              className="inline-flex size-6 shrink-0 items-center justify-center rounded-chip border uppercase"
            >
              {initials(shop)}
            </span>
          ) : (
            <img src={logo} alt="" className="size-6 shrink-0 rounded-chip object-contain" />
          )}
          <span className="truncate">{shop}</span>
        </div>
        <p className="text-muted">
          <Trans>
            <span className="font-semibold text-ink">$49.00</span> · Invoice A-77
          </Trans>
        </p>
        {children}
        {supportEmail !== '' && (
          <p className="mt-auto truncate text-muted">
            <Trans>Support: {supportEmail}</Trans>
          </p>
        )}
      </div>
      <figcaption className="text-center text-dense text-muted">{title}</figcaption>
    </figure>
  )
}

type OptionProps = { currency: string; network: string; sign: string; isChosen?: boolean }

function Option({ currency, network, sign, isChosen = false }: OptionProps) {
  return (
    <div
      className={`flex items-center gap-2 rounded-control border p-2 ${isChosen ? 'border-ink' : 'border-border-control'}`}
    >
      <span className="inline-flex size-6 shrink-0 items-center justify-center rounded-full border border-border bg-sunken font-semibold">
        {sign}
      </span>
      <span className="min-w-0">
        <span className="block font-medium">{currency}</span>
        <span className="block truncate text-muted">{network}</span>
      </span>
    </div>
  )
}

function BrandButton({ brand, children }: { brand: Brand; children: ReactNode }) {
  return (
    <p style={brand} className="truncate rounded-control border px-2 py-1.5 text-center font-medium">
      {children}
    </p>
  )
}

/** As the payment page makes them: the first letters of the first two words. */
function initials(name: string): string {
  const letters = name.split(/\s+/).map((word) => Array.from(word)[0] ?? '')
  return letters.slice(0, 2).join('')
}
