import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Check, Circle } from 'lucide-react'
import { useEffect, useState } from 'react'

const CRITERIA = [
  { text: msg({ message: 'uppercase', comment: 'what a password must hold: such a letter' }), pattern: /\p{Lu}/u },
  { text: msg({ message: 'lowercase', comment: 'what a password must hold: such a letter' }), pattern: /\p{Ll}/u },
  { text: msg({ message: 'number', comment: 'what a password must hold' }), pattern: /\d/ },
  { text: msg`special character`, pattern: /[.,?@*!$%#^&]/ },
] as const

/** The special characters that count, for people who typed another one and see no tick. */
const SPECIAL = '. , ? @ * ! $ % # ^ &'

/** How long typing rests before the count is spoken. */
const PAUSE_MS = 800

/** The four criteria of a new password, each met or not met as it is typed. */
export function PasswordChecklist({ value }: { value: string }) {
  const met = CRITERIA.filter(({ pattern }) => pattern.test(value)).length
  const [spoken, setSpoken] = useState('')

  useEffect(() => {
    if (value === '') return
    const timer = setTimeout(() => setSpoken(metText(met)), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value, met])

  return (
    <div>
      <ul aria-label={t`Password criteria`} className="grid grid-cols-2 gap-x-4 gap-y-1.5 text-dense">
        {CRITERIA.map(({ text, pattern }) => (
          <Criterion key={text.id} text={text} isMet={pattern.test(value)} />
        ))}
      </ul>
      <p className="mt-1.5 text-caption text-muted">
        <Trans>Special characters: {SPECIAL}</Trans>
      </p>
      <p role="status" className="sr-only">
        {spoken}
      </p>
    </div>
  )
}

function metText(met: number): string {
  const all = CRITERIA.length
  return t`${met} of ${all} met`
}

function Criterion({ text, isMet }: { text: MessageDescriptor; isMet: boolean }) {
  const Icon = isMet ? Check : Circle
  return (
    <li className={`flex items-center gap-2 ${isMet ? 'text-success-text' : 'text-muted'}`}>
      <Icon aria-hidden size={14} strokeWidth={isMet ? 2.5 : 1.75} />
      <span>{t(text)}</span>
      <span className="sr-only">
        {isMet ? t({ message: 'met', comment: 'a criterion' }) : t({ message: 'not met', comment: 'a criterion' })}
      </span>
    </li>
  )
}
