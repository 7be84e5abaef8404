import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { useIsOnline } from '../../../lib/device/online.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import type { LiveConnection } from '../../live/live-connection.ts'
import type { LiveState } from '../../live/live.ts'

type Signal = {
  readonly sign: string
  readonly word: MessageDescriptor
  readonly text: MessageDescriptor
  readonly look: string
}

const WORDS: Readonly<Record<LiveState, Signal>> = {
  connecting: { sign: '◐', word: msg`Connecting…`, text: msg`Opening the live channel.`, look: 'text-progress-solid' },
  live: {
    sign: '●',
    word: msg({ message: 'Live', comment: 'the page follows what happens on the server' }),
    text: msg`Changes appear here by themselves.`,
    look: 'text-success-solid',
  },
  reconnecting: {
    sign: '◐',
    word: msg`Reconnecting…`,
    text: msg`The live channel was lost.`,
    look: 'text-progress-solid',
  },
  polling: {
    sign: '○',
    word: msg`Updating every 15 s`,
    text: msg`The live channel is down; pages ask for news themselves.`,
    look: 'text-warning-solid',
  },
  unreachable: {
    sign: '✕',
    word: msg`No answer`,
    text: msg`The server does not answer. This page tries again by itself.`,
    look: 'text-danger-solid',
  },
}

const OFFLINE: Signal = { sign: '○', word: msg`Updates paused`, text: msg`You’re offline.`, look: 'text-muted' }

/** Whether what is on screen follows the server by itself. */
export function ConnectionIndicator({ state, reconnect }: LiveConnection) {
  const isOnline = useIsOnline()
  const { sign, word, text, look } = isOnline ? WORDS[state] : OFFLINE
  return (
    <div>
      <button
        type="button"
        popoverTarget="connection"
        className="inline-flex h-8 items-center gap-1.5 rounded-control px-2 text-dense text-muted hover:bg-hover hover:text-ink coarse:h-11"
      >
        <span aria-hidden className={`text-[10px] leading-none ${look}`}>
          {sign}
        </span>
        <span role="status" className="max-sm:sr-only">
          {t(word)}
        </span>
      </button>
      <div
        id="connection"
        popover="auto"
        className="hangs hangs-end w-64 rounded-card border border-border bg-raised p-4 text-ink shadow-menu"
      >
        <p className="font-medium">{t(word)}</p>
        <p className="mt-1 text-dense text-muted">{t(text)}</p>
        {isOnline && state !== 'live' && (
          <div className="mt-3">
            <Button size="small" onClick={reconnect}>
              <Trans>Reconnect</Trans>
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}
