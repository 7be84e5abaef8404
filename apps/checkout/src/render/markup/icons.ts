import type { BlockchainCode } from '@kassa/primitives/chains/blockchain.ts'
import type { CurrencyCode } from '@kassa/primitives/chains/currencies.ts'

import { html } from './html.ts'
import type { Html } from './html.ts'

/** The disc of each asset and network: a colour and a sign of our own instead of its logo. */
const DISCS: Readonly<Record<string, readonly [colour: string, sign: string]>> = {
  USDC: ['#2775ca', '$'],
  USDT: ['#26806c', 'T'],
  ETH: ['#5b6bbf', 'Ξ'],
  BTC: ['#b8640a', 'B'],
  CBBTC: ['#0b4fd8', 'B'],
  TRX: ['#c4262e', 'T'],
  SOL: ['#6b3fd4', 'S'],
  SOLANA: ['#6b3fd4', 'S'],
  POL: ['#6d3bd1', 'P'],
  POLYGON: ['#6d3bd1', 'P'],
  BASE: ['#0b4fd8', 'B'],
} satisfies Record<BlockchainCode | CurrencyCode, readonly [colour: string, sign: string]>

const UNKNOWN = '#4e514a'

/** Draws an asset's disc with its network's disc in the corner; an unknown code shows its first two letters. */
export function assetIcon(currencyCode: string, blockchainCode: string): Html {
  const [colour, sign] = disc(currencyCode)
  const [chainColour, chainSign] = disc(blockchainCode)
  return html`<svg class="mark" viewBox="0 0 40 40" aria-hidden="true">
    <circle cx="18" cy="18" r="18" fill="${colour}" />
    <text x="18" y="25" font-size="${sign.length > 1 ? 15 : 20}">${sign}</text>
    <circle class="rim" cx="31" cy="31" r="9" />
    <circle cx="31" cy="31" r="7.5" fill="${chainColour}" />
    <text x="31" y="34.5" font-size="${chainSign.length > 1 ? 7 : 10}">${chainSign}</text>
  </svg>`
}

/** Draws a network's disc. */
export function chainIcon(blockchainCode: string): Html {
  const [colour, sign] = disc(blockchainCode)
  return html`<svg class="chain" viewBox="0 0 20 20" aria-hidden="true">
    <circle cx="10" cy="10" r="10" fill="${colour}" />
    <text x="10" y="14.2" font-size="${sign.length > 1 ? 9 : 12}">${sign}</text>
  </svg>`
}

function disc(code: string): readonly [colour: string, sign: string] {
  return DISCS[code] ?? [UNKNOWN, code.slice(0, 2)]
}

const ICONS = {
  copy: html`<path
    d="M7 7V4.5A1.5 1.5 0 0 1 8.5 3h7A1.5 1.5 0 0 1 17 4.5v7a1.5 1.5 0 0 1-1.5 1.5H13M4.5 7h7A1.5 1.5 0 0 1 13 8.5v7a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 3 15.5v-7A1.5 1.5 0 0 1 4.5 7z"
  />`,
  clock: html`<circle cx="10" cy="10" r="7.25" /><path d="M10 6v4.2l2.6 1.6" />`,
  external: html`<path
    d="M8 5H5.5A1.5 1.5 0 0 0 4 6.5v8A1.5 1.5 0 0 0 5.5 16h8a1.5 1.5 0 0 0 1.5-1.5V12M11.5 4H16v4.5M16 4l-7 7"
  />`,
  warning: html`<path d="M10 3.2 18 16.8H2zM10 8.3v3.7M10 14.3v.2" />`,
  info: html`<circle cx="10" cy="10" r="7.25" /><path d="M10 9.5v4M10 6.7v.1" />`,
  tick: html`<path d="m4.5 10.5 3.8 3.8 7.2-8" />`,
  cross: html`<path d="m5.5 5.5 9 9m0-9-9 9" />`,
  dots: html`<path d="M10 10h.01M5 10h.01M15 10h.01" />`,
  moon: html`<path d="M16 11.5A6.5 6.5 0 1 1 8.5 4a5.2 5.2 0 0 0 7.5 7.5z" />`,
  pause: html`<path d="M7.5 5v10m5-10v10" />`,
} as const

export type IconName = keyof typeof ICONS

/** Draws a line icon (20 × 20); it is hidden from screen readers, so text must stand beside it. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true">${ICONS[name]}</svg>`
}
