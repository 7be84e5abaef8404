import { Address } from '../ui/facts/Address.tsx'
import { Age } from '../ui/time/Age.tsx'
import { Amount } from '../ui/facts/Amount.tsx'
import { ClockTime } from '../ui/time/ClockTime.tsx'
import { CodeBlock } from '../ui/facts/CodeBlock.tsx'
import { TruncatedName } from '../ui/facts/TruncatedName.tsx'
import { KeyValue } from '../ui/facts/KeyValue.tsx'
import { QRCode } from '../ui/facts/QRCode.tsx'
import { StatTile } from '../ui/facts/StatTile.tsx'
import { ExplainedBadge } from '../ui/facts/ExplainedBadge.tsx'
import { StatusBadge } from '../ui/facts/StatusBadge.tsx'
import { Time } from '../ui/time/Time.tsx'
import { TimeAgo } from '../ui/time/TimeAgo.tsx'
import { Timeline } from '../ui/facts/Timeline.tsx'
import { TimeRemaining } from '../ui/time/TimeRemaining.tsx'
import type { Tone } from '../ui/feedback/tones.ts'
import type { Part } from './specimen.ts'

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const MINUTE = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE)

const WORDS: Readonly<Record<Tone, string>> = {
  neutral: 'Expired',
  info: 'Open',
  progress: 'Confirming 3/12',
  success: 'Paid',
  warning: 'Partly paid',
  danger: 'Failed',
}

export const FACTS: readonly Part[] = [
  {
    name: 'StatusBadge',
    specimens: (Object.keys(WORDS) as Tone[]).map((tone) => ({
      state: tone,
      shown: (
        <div>
          <StatusBadge tone={tone} word={WORDS[tone]} />
        </div>
      ),
    })),
  },
  {
    name: 'ExplainedBadge',
    specimens: [
      { state: 'alone', shown: <ExplainedBadge badge={{ tone: 'success', word: 'Paid' }} why={undefined} /> },
      {
        state: 'with a reason',
        shown: <ExplainedBadge badge={{ tone: 'warning', word: 'Needs approval' }} why="Needs 1 more of 2 approvals" />,
      },
    ],
  },
  {
    name: 'Amount',
    specimens: [
      { state: 'US dollars', shown: <Amount value="1234.5" currency="USD" /> },
      { state: 'below a cent', shown: <Amount value="0.004" currency="USD" /> },
      { state: 'an asset, cut', shown: <Amount value="0.004788009412" currency="ETH" usd="14.90" /> },
      { state: 'an asset, every digit', shown: <Amount value="0.004788009412" currency="ETH" full /> },
    ],
  },
  {
    name: 'Address',
    specimens: [
      { state: 'in a list', shown: <Address value={ADDRESS} /> },
      { state: 'with a name', shown: <Address value={ADDRESS} name="Main" /> },
      { state: 'where money is decided', shown: <Address value={ADDRESS} full /> },
    ],
  },
  {
    name: 'TruncatedName',
    specimens: [
      { state: 'longer than its place', shown: <TruncatedName name="accounts-payable.emea@nordlicht.example" /> },
    ],
  },
  {
    name: 'ClockTime',
    specimens: [{ state: 'to the second', shown: <ClockTime at={ago(5)} /> }],
  },
  {
    name: 'Time',
    specimens: [{ state: 'exact on hover', shown: <Time at={ago(5)} text="20 Nov 2026, 05:10" /> }],
  },
  {
    name: 'TimeAgo',
    specimens: [
      { state: 'minutes', shown: <TimeAgo at={ago(2)} /> },
      { state: 'yesterday', shown: <TimeAgo at={ago(1500)} /> },
    ],
  },
  { name: 'Age', specimens: [{ state: 'seconds', shown: <Age at={ago(0.2)} /> }] },
  {
    name: 'TimeRemaining',
    specimens: [
      { state: 'days', shown: <TimeRemaining until={ago(-20_000)} /> },
      { state: 'past', shown: <TimeRemaining until={ago(1)} /> },
    ],
  },
  {
    name: 'StatTile',
    specimens: [
      { state: 'rest', shown: <StatTile label="Total" value="12,408" /> },
      {
        state: 'a link, with a note',
        shown: <StatTile label="Open" value="96" note="4 more than yesterday" href="#open" />,
      },
      { state: 'its filter is on', shown: <StatTile label="Paid or overpaid" value="11,020" href="#closed" current /> },
    ],
  },
  {
    name: 'KeyValue',
    specimens: [
      {
        state: 'rows',
        shown: (
          <KeyValue
            rows={[
              { label: 'Reference', value: '0192f3' },
              { label: 'Created by', value: 'API key “Shop”' },
            ]}
          />
        ),
      },
    ],
  },
  {
    name: 'Timeline',
    specimens: [
      {
        state: 'events of several tones',
        shown: (
          <Timeline
            label="What happened"
            events={[
              { id: '3', at: ago(1), title: 'Delivered to shop.example', text: 'In 84 ms, code 200', tone: 'success' },
              { id: '2', at: ago(2), title: 'State changed', text: 'Open → Overpaid', tone: 'info' },
              { id: '1', at: ago(1600), title: 'Created' },
            ]}
          />
        ),
      },
    ],
  },
  {
    name: 'CodeBlock',
    specimens: [
      {
        state: 'scrolls',
        shown: (
          <CodeBlock
            label="curl example"
            text={'curl -X POST https://kassa.example/api/v1/payment \\\n  -H "API-Key: …"'}
          />
        ),
      },
      { state: 'wraps', shown: <CodeBlock label="extended key" text={'xpub6CUGRUo'.repeat(9)} wraps /> },
    ],
  },
  {
    name: 'QRCode',
    specimens: [{ state: 'an address', shown: <QRCode value={ADDRESS} label="the address" /> }],
  },
]
