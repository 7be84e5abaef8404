import type { MemoryDatabase } from './database.ts'
import type { SimulatedCode } from './families/families.ts'

/**
 * A rule of the program that is broken on purpose: by a statement before the run, or by changing the program's
 * statements.
 */
export type Sabotage = {
  /** The first seed that detected it in the last search. */
  readonly seed: number
  readonly setup?: string
  readonly rewrite?: { readonly of: RegExp; readonly from: RegExp; readonly to: string }
  /** It shows only where shops pay out and sweep. */
  readonly isPaying?: true
  /** The blockchains of its worlds, where a seed alone would too seldom bring what is broken. */
  readonly codes?: readonly SimulatedCode[]
}

const CURSOR_COMPARE = {
  of: /^update "chain_cursors" set "height"/,
  from: /and "epoch" = (\$\d+) and "hash" = (\$\d+)/,
  to: 'and $1::bigint IS NOT NULL AND $2::text IS NOT NULL',
} as const

/** Two leaders that do not see each other also fail on the window of blocks; this trigger removes that second guard. */
const WINDOW_TAKES_ANYTHING = `
  CREATE FUNCTION replace_block() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM chain_blocks WHERE blockchain_id = NEW.blockchain_id AND height = NEW.height;
    RETURN NEW;
  END $$;
  CREATE TRIGGER replace_block BEFORE INSERT ON chain_blocks FOR EACH ROW EXECUTE FUNCTION replace_block();`

/** Two chains of one family, whose addresses are the same: the oldest worlds. */
const EVM = ['ETH', 'BASE'] as const

/** Where shops pay out on TRON. */
const TRON = ['ETH', 'TRX'] as const

/** Where addresses of TRON approve and send, and where devices sign. */
const APPROVING = ['TRX'] as const
const SIGNED = ['BTC'] as const

/** What a run must detect. */
export const SABOTAGES = {
  'a transfer may have two deposits': {
    seed: 101,
    codes: EVM,
    setup: `DROP INDEX deposits_live_once; DROP INDEX deposits_per_block; ${WINDOW_TAKES_ANYTHING}`,
    rewrite: CURSOR_COMPARE,
  },
  'the cursor is moved without comparing': {
    seed: 101,
    codes: EVM,
    setup: WINDOW_TAKES_ANYTHING,
    rewrite: CURSOR_COMPARE,
  },
  'a reorganisation takes nothing back': {
    seed: 40,
    codes: EVM,
    rewrite: {
      of: /^\s*UPDATE deposits AS deposit SET status = \$1, reverted_at/,
      from: /RETURNING/,
      to: 'AND false RETURNING',
    },
  },
  'deposits of internal transfers get lost': {
    seed: 38,
    codes: EVM,
    setup: `
      CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER lose BEFORE INSERT ON deposits FOR EACH ROW WHEN (NEW.kind = 'internal') EXECUTE FUNCTION lose();`,
  },
  'account totals are not moved': { seed: 2, codes: EVM, setup: 'DROP TRIGGER postings_move_accounts ON postings' },
  'some deliveries are not stored': {
    seed: 2,
    codes: EVM,
    setup: `
      CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER lose BEFORE INSERT ON deliveries FOR EACH ROW WHEN (NEW.sequence % 5 = 3) EXECUTE FUNCTION lose();`,
  },
  'deliveries overtake each other': {
    seed: 13,
    codes: EVM,
    rewrite: { of: /INTO|UPDATE deliveries d/, from: /WHERE blocked_until IS NULL/, to: '' },
  },
  'deposits on TRON count before 19 producers built on them': {
    seed: 40,
    setup: `
      CREATE FUNCTION hasten() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW.rule := 'depth'; NEW.confirmations_required := 1; RETURN NEW; END $$;
      CREATE TRIGGER hasten BEFORE INSERT ON deposits FOR EACH ROW WHEN (NEW.blockchain_id = 3) EXECUTE FUNCTION hasten();`,
  },
  'a reorganisation takes nothing of Bitcoin back': {
    seed: 99,
    codes: ['BTC'],
    rewrite: {
      of: /^\s*UPDATE deposits AS deposit SET status = \$1, reverted_at/,
      from: /RETURNING/,
      to: 'AND deposit.blockchain_id <> 2 RETURNING',
    },
  },
  'transactions of Bitcoin that will never be mined are said to wait': {
    seed: 34,
    setup: `
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER hold BEFORE UPDATE ON mempool_sightings FOR EACH ROW WHEN (NEW.gone_at IS NOT NULL) EXECUTE FUNCTION hold();`,
  },
  'what arrives on Solana counts double': {
    seed: 4,
    setup: `
      CREATE FUNCTION double() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.units := NEW.units * 2; RETURN NEW; END $$;
      CREATE TRIGGER double BEFORE INSERT ON deposits FOR EACH ROW WHEN (NEW.blockchain_id = 6) EXECUTE FUNCTION double();`,
  },
  'a sweep books less than it moved': {
    seed: 6000,
    isPaying: true,
    setup: `
      CREATE FUNCTION lessen() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.units := NEW.units - 1; RETURN NEW; END $$;
      CREATE TRIGGER lessen BEFORE UPDATE ON sweep_items FOR EACH ROW WHEN (NEW.state = 'swept') EXECUTE FUNCTION lessen();`,
  },
  'what was signed for TRON is believed to lapse before its time is over': {
    seed: 6011,
    isPaying: true,
    codes: TRON,
    setup: `
      CREATE FUNCTION hurry() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW.valid_until := NEW.valid_until - interval '1 day'; RETURN NEW; END $$;
      CREATE TRIGGER hurry BEFORE INSERT ON send_attempts FOR EACH ROW WHEN (NEW.valid_until IS NOT NULL) EXECUTE FUNCTION hurry();`,
  },
  'a transfer that a contract on TRON undid counts as paid': {
    seed: 6000,
    isPaying: true,
    codes: TRON,
    setup: `
      CREATE FUNCTION gloss() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW.is_success := true; NEW.failure_code := NULL; RETURN NEW; END $$;
      CREATE TRIGGER gloss BEFORE UPDATE ON send_attempts FOR EACH ROW
        WHEN (NEW.valid_until IS NOT NULL AND NEW.failure_code IS NOT NULL) EXECUTE FUNCTION gloss();`,
  },
  'what a payout on TRON burned is booked too low': {
    seed: 6000,
    isPaying: true,
    codes: TRON,
    setup: `
      CREATE FUNCTION spare() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.fee_units := NEW.fee_units - 1; RETURN NEW; END $$;
      CREATE TRIGGER spare BEFORE UPDATE ON send_attempts FOR EACH ROW
        WHEN (NEW.valid_until IS NOT NULL AND NEW.fee_units > 0 AND OLD.fee_units IS NULL) EXECUTE FUNCTION spare();`,
  },
  'what an address of TRON burned for its approval is booked too low': {
    seed: 6001,
    isPaying: true,
    codes: APPROVING,
    setup: `
      CREATE FUNCTION spare() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.fee_units := NEW.fee_units - 1; RETURN NEW; END $$;
      CREATE TRIGGER spare BEFORE UPDATE ON sweep_permissions FOR EACH ROW
        WHEN (NEW.valid_until IS NOT NULL AND NEW.fee_units > 0 AND OLD.fee_units IS NULL) EXECUTE FUNCTION spare();`,
  },
  'gas that reached an address of TRON is booked too high': {
    seed: 6001,
    isPaying: true,
    codes: APPROVING,
    setup: `
      CREATE FUNCTION add() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.top_up_units := NEW.top_up_units + 1; RETURN NEW; END $$;
      CREATE TRIGGER add BEFORE UPDATE ON sweep_approvals FOR EACH ROW
        WHEN (NEW.topped_up_at IS NOT NULL AND OLD.topped_up_at IS NULL) EXECUTE FUNCTION add();`,
  },
  'what the network kept of a sweep of Bitcoin is booked too low': {
    seed: 6002,
    isPaying: true,
    codes: SIGNED,
    setup: `
      CREATE FUNCTION spare() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.fee_units := NEW.fee_units - 1; RETURN NEW; END $$;
      CREATE TRIGGER spare BEFORE INSERT ON movements FOR EACH ROW WHEN (NEW.fee_units > 0) EXECUTE FUNCTION spare();`,
  },
  'the bytes that a device signed get lost': {
    seed: 6002,
    isPaying: true,
    codes: SIGNED,
    setup: `
      CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$;
      CREATE TRIGGER lose BEFORE UPDATE ON sweep_psbts FOR EACH ROW WHEN (NEW.raw IS NOT NULL) EXECUTE FUNCTION lose();`,
  },
  'a batch whose coins are gone waits for good': {
    seed: 6002,
    isPaying: true,
    codes: SIGNED,
    setup: `
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER hold BEFORE UPDATE ON sweeps FOR EACH ROW
        WHEN (NEW.sent_by = 'device' AND NEW.status IN ('failed', 'sweep-cancelled')) EXECUTE FUNCTION hold();`,
  },
} as const satisfies Record<string, Sabotage>

export type SabotageName = keyof typeof SABOTAGES

/** Breaks a rule in a database that is deleted afterwards; returns the change to apply to every statement. */
export async function sabotage(
  database: MemoryDatabase,
  name: SabotageName,
): Promise<{ readonly rewrite: (text: string) => string; readonly rewritten: () => number }> {
  const { setup, rewrite }: Sabotage = SABOTAGES[name]
  if (setup !== undefined) await database.query(setup)
  let count = 0
  return {
    rewritten: () => count,
    rewrite: (text) => {
      if (!rewrite || !rewrite.of.test(text)) return text
      const changed = text.replace(rewrite.from, rewrite.to)
      if (changed !== text) count += 1
      return changed
    },
  }
}
