/** How the dashboard looks to an operator: settings that the account keeps, for every device they sign in on. */
import * as z from 'zod/mini'

export const THEMES = ['system', 'light', 'dark'] as const
export const DENSITIES = ['comfortable', 'compact'] as const

/** The choice of a time zone that follows the device, as the theme of the same name does. */
export const ZONE_OF_DEVICE = 'system'

const LONGEST_ZONE = 64

/** What the account has of each setting; null where nothing was chosen, and each device shows its own. */
export const Display = z.object({
  theme: z.nullable(z.enum(THEMES)),
  /** A zone of the IANA time zone database, or `system`: that of the device. */
  timeZone: z.nullable(z.string()),
  /** How dense tables are. */
  density: z.nullable(z.enum(DENSITIES)),
  /** Whether single keys are shortcuts. */
  singleKeys: z.nullable(z.boolean()),
  /** Whether the setup guide is shown. */
  setupGuide: z.nullable(z.boolean()),
})
export type Display = z.output<typeof Display>

const oneOf = <const Words extends readonly string[]>(label: string, words: Words) =>
  z.optional(z.nullable(z.enum(words, { error: `${label} must be one of: ${words.join(', ')}` })))

const onOrOff = (label: string) => z.optional(z.nullable(z.boolean({ error: `${label} must be true or false` })))

/** Absent keeps what there is; null leaves the setting to the device again. */
export const ChangeDisplay = z.object({
  theme: oneOf('Theme', THEMES),
  timeZone: z.optional(
    z.nullable(
      z.string({ error: 'Time zone must be text' }).check(
        z.maxLength(LONGEST_ZONE, { error: `Time zone must be at most ${LONGEST_ZONE} characters long`, abort: true }),
        z.refine((zone) => zone === ZONE_OF_DEVICE || isTimeZone(zone), {
          error: 'Time zone must be one such as Europe/Berlin, or system',
        }),
      ),
    ),
  ),
  density: oneOf('Density', DENSITIES),
  singleKeys: onOrOff('Single-key shortcuts'),
  setupGuide: onOrOff('Setup guide'),
})
export type ChangeDisplay = z.output<typeof ChangeDisplay>

/** Whether a text names a time zone that can be computed with. */
function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
