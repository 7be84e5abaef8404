/** The six tones of the product; a word and a glyph go with each, so that colour is never the only sign. */
export type Tone = 'neutral' | 'info' | 'progress' | 'success' | 'warning' | 'danger'

export const TONE_CHIP: Readonly<Record<Tone, string>> = {
  neutral: 'bg-neutral-tint text-neutral-text border-neutral-border',
  info: 'bg-info-tint text-info-text border-info-border',
  progress: 'bg-progress-tint text-progress-text border-progress-border',
  success: 'bg-success-tint text-success-text border-success-border',
  warning: 'bg-warning-tint text-warning-text border-warning-border',
  danger: 'bg-danger-tint text-danger-text border-danger-border',
}

export const TONE_SOLID: Readonly<Record<Tone, string>> = {
  neutral: 'text-neutral-solid',
  info: 'text-info-solid',
  progress: 'text-progress-solid',
  success: 'text-success-solid',
  warning: 'text-warning-solid',
  danger: 'text-danger-solid',
}

export const TONE_GLYPH: Readonly<Record<Tone, string>> = {
  neutral: '●',
  info: '○',
  progress: '◐',
  success: '✓',
  warning: '!',
  danger: '✕',
}
