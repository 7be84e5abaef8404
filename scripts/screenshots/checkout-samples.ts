/** Pages of the payer that a seeded server does not show by itself, drawn from the samples the tests use. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { renderCheckout } from '../../apps/checkout/src/render/page.ts'
import { SAMPLES } from '../../apps/checkout/src/testing/samples.ts'
import { VARIANTS } from '../../apps/checkout/src/testing/variants.ts'
import type { Screen } from './camera.ts'

const BUILD = join(import.meta.dirname, '../../apps/checkout/build')

/** States that need a node to lie, a network to stand still or a person to be slow; the others are seeded. */
const STATES = [
  'network-behind',
  'price-lapsed',
  'detected',
  'late-held',
  'other-network',
  'other-asset',
  'kept',
  'on-hold',
  'unavailable',
] as const

/** The payer's pages in states of `STATES`, and in mixtures of states. */
export function sampleScreens(): readonly Screen[] {
  const { script } = JSON.parse(readFileSync(join(BUILD, 'manifest.json'), 'utf8')) as { script: string }
  const views = { ...Object.fromEntries(STATES.map((state) => [state, SAMPLES[state]])), ...VARIANTS }
  return Object.entries(views).map(([name, view]) => ({
    name: `checkout-${name}`,
    path: `/payments?reference_id=${name}`,
    shows: /\w/,
    document: renderCheckout({ ...view, scriptUrl: `/checkout/${script}` }).html,
  }))
}
