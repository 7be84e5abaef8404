/** Column types that several modules' tables share. */
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** A key the database makes, of a noun with few rows. */
export type SerialId = Generated<number>

/** A key the database makes, of a noun with many rows; bigint in the code, a number on the wire. */
export type BigSerialId = ColumnType<bigint, never, never>

/** Set at insert by the database or by the caller's clock. */
export type CreatedAt = ColumnType<Date, Date | undefined, never>
export type UpdatedAt = ColumnType<Date, Date | undefined, Date>

/** Whole units of an asset: numeric(78, 0), read as text, written as bigint or text. */
export type Units = ColumnType<string, bigint | string, bigint | string>
export type UnitsOrNull = ColumnType<string | null, bigint | string | null, bigint | string | null>
export type UnitsWithDefault = ColumnType<string, bigint | string | undefined, bigint | string>

/** A decimal number, exact as text. */
export type Decimal = ColumnType<string, string, string>
export type DecimalOrNull = ColumnType<string | null, string | null, string | null>

export type Json<T extends object> = JSONColumnType<T>
