import { addressGroups } from '@kassa/primitives/address-groups.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'

/** Draws an address in groups of four, its first and last one stronger, as a person compares it. Selecting it gives the address alone. */
export function spelledAddress(address: string): Html {
  const groups = addressGroups(address)
  const isEdge = (index: number) => index === 0 || index === groups.length - 1
  return html`${groups.map((group, index) => html`<span${isEdge(index) && html` class="edge"`}>${group}</span><wbr>`)}`
}
