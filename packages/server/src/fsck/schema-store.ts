/** The parts of a schema, as the catalogs of a file and of a PostgreSQL server have them: all SQL about them. */
import type { Reader } from "@svc/host/store";

/** A part of a schema. */
export interface SchemaPart {
  readonly kind: "table" | "column" | "constraint" | "index" | "trigger" | "view" | "rule";
  readonly name: string;
  /** The table that it belongs to; of a table or a view its own name. */
  readonly table: string;
  /** The statement that makes it; null where the catalog has none, or where it is not compared. */
  readonly definition: string | null;
}

/** The tables that SQLite makes by itself. No other name is passed over, however it begins. */
const OWN_OF_SQLITE = "'sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'";

/** Resolves to the parts of the schema of an embedded database, but for SQLite's own. */
export function partsOfFile(reader: Reader): Promise<SchemaPart[]> {
  return reader.all<SchemaPart>(
    `WITH own AS (SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN (${OWN_OF_SQLITE}))
     SELECT type AS kind, name, tbl_name AS "table", CASE WHEN type = 'table' THEN NULL ELSE sql END AS definition
       FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT IN (${OWN_OF_SQLITE})
     UNION ALL
     SELECT 'column', c.name, t.name, concat_ws(' ', c.type, c."notnull", c.dflt_value, c.pk, c.hidden)
       FROM own t, pragma_table_xinfo(t.name) c
     UNION ALL
     SELECT 'constraint', 'primary key (' || group_concat(c.name, ', ' ORDER BY c.pk) || ')', t.name, NULL
       FROM own t, pragma_table_xinfo(t.name) c WHERE c.pk > 0 GROUP BY t.name
     UNION ALL
     SELECT 'constraint', 'unique (' || (SELECT group_concat(i.name, ', ') FROM pragma_index_info(l.name) i) || ')', t.name, NULL
       FROM own t, pragma_index_list(t.name) l WHERE l.origin = 'u'
     UNION ALL
     SELECT 'constraint', 'foreign key (' || group_concat(f."from", ', ') || ') references ' || f."table", t.name, NULL
       FROM own t, pragma_foreign_key_list(t.name) f GROUP BY t.name, f.id`,
  );
}

/**
 * Resolves to the parts of the schema of a server's database, with no definitions: partitions and what belongs to an
 * extension or a constraint are left out.
 */
export function partsOfServer(reader: Reader): Promise<SchemaPart[]> {
  return reader.all<SchemaPart>(
    `WITH own AS (
       SELECT c.oid, c.relname::text AS name, c.relkind FROM pg_class c
       WHERE c.relnamespace = current_schema()::regnamespace AND NOT c.relispartition AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
         AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'))
     SELECT CASE WHEN relkind IN ('r', 'p') THEN 'table' ELSE 'view' END AS kind, name, name AS "table", NULL AS definition FROM own
     UNION ALL
     SELECT 'column', a.attname::text, o.name, NULL FROM own o JOIN pg_attribute a ON a.attrelid = o.oid
       WHERE o.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
     UNION ALL
     SELECT 'constraint', CASE k.contype WHEN 'p' THEN 'primary key (' ELSE 'unique (' END
         || (SELECT string_agg(a.attname, ', ' ORDER BY u.place) FROM unnest(k.conkey) WITH ORDINALITY u (attnum, place)
             JOIN pg_attribute a ON a.attrelid = o.oid AND a.attnum = u.attnum) || ')', o.name, NULL
       FROM own o JOIN pg_constraint k ON k.conrelid = o.oid WHERE k.contype IN ('p', 'u')
     UNION ALL
     SELECT 'index', c.relname::text, o.name, NULL FROM own o JOIN pg_index i ON i.indrelid = o.oid
       JOIN pg_class c ON c.oid = i.indexrelid WHERE NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)
     UNION ALL
     SELECT 'trigger', t.tgname::text, o.name, NULL FROM own o JOIN pg_trigger t ON t.tgrelid = o.oid WHERE NOT t.tgisinternal
       AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = t.tgfoid AND d.deptype = 'e')
     UNION ALL
     SELECT 'rule', r.rulename::text, o.name, NULL FROM own o JOIN pg_rewrite r ON r.ev_class = o.oid
       WHERE o.relkind IN ('r', 'p')`,
  );
}
