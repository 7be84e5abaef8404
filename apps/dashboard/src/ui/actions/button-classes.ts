export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'small' | 'medium' | 'large'

/** On a phone with text twice as large a long name takes a second line. */
const WRAPPING = 'max-[20rem]:h-auto max-[20rem]:px-2 max-[20rem]:py-1 max-[20rem]:whitespace-normal'

const BOX =
  'relative inline-flex items-center justify-center gap-2 rounded-control border font-medium whitespace-nowrap select-none transition-colors duration-[120ms] coarse:min-h-11'

const SIZES: Readonly<Record<ButtonSize, string>> = {
  small: 'h-8 px-2.5 text-dense',
  medium: 'h-9 px-3.5 text-body',
  large: 'h-10 px-4 text-body',
}

const KINDS: Readonly<Record<ButtonKind, string>> = {
  primary: 'border-accent-edge bg-accent text-on-accent hover:bg-accent-hover active:bg-accent-press',
  secondary: 'border-border bg-raised text-ink shadow-card hover:bg-hover active:bg-sunken',
  quiet: 'border-transparent bg-transparent text-strong-muted hover:bg-hover hover:text-ink active:bg-sunken',
  danger: 'border-transparent bg-danger-fill text-on-danger hover:bg-danger-hover active:bg-danger-press',
}

const OFF = 'border-border bg-sunken text-disabled'

/** Returns the classes of something that looks like a button, pressed by mouse, finger or as a link. */
export function buttonClasses(kind: ButtonKind, size: ButtonSize, { disabled = false, wide = false } = {}): string {
  return `${BOX} ${WRAPPING} ${SIZES[size]} ${disabled ? OFF : KINDS[kind]} ${wide ? 'w-full' : ''}`
}
