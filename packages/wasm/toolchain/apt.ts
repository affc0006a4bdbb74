/**
 * The state of apt: which pinned packages are installed, which can be installed, and which are gone because the archive
 * keeps only newer ones. Pure functions over the text of `apt-cache policy`; nothing runs here.
 */

/** The state of one package in apt. */
export interface PackageState {
  readonly installed: string | null;
  /** Versions that some archive offers, newest first. A version that is only installed here is not among them. */
  readonly offered: readonly string[];
}

/** A package in a version. */
export interface Pin {
  readonly name: string;
  readonly version: string;
}

/** The steps to get all pinned packages. */
export interface Plan {
  /** Not installed in the pinned version, but offered. */
  readonly missing: readonly Pin[];
  /** Neither installed nor offered in the pinned version, with the versions that are offered. */
  readonly gone: readonly (Pin & { readonly offered: readonly string[] })[];
}

/** Parses the output of `apt-cache policy <package>...` in the C locale. Unknown packages are not in it. */
export function parsePolicy(text: string): Map<string, PackageState> {
  const states = new Map<string, PackageState>();
  let name: string | undefined;
  let installed: string | null = null;
  let offered: string[] = [];
  let version: string | undefined;
  for (const line of text.split("\n")) {
    const heading = /^(\S+):$/.exec(line)?.[1];
    const row = /^ (?:\*\*\*| {3}) (\S+) -?\d+\s*$/.exec(line)?.[1];
    const source = /^ {8,}-?\d+ (\S+)/.exec(line)?.[1];
    if (heading !== undefined) {
      name = heading;
      installed = null;
      offered = [];
      version = undefined;
    } else if (/^ {2}Installed: /.test(line)) {
      const value = line.slice("  Installed: ".length);
      installed = value === "(none)" ? null : value;
    } else if (row !== undefined) {
      version = row;
    } else if (source !== undefined && version !== undefined) {
      if (source !== "/var/lib/dpkg/status" && !offered.includes(version)) offered.push(version);
    }
    if (name !== undefined) states.set(name, { installed, offered });
  }
  return states;
}

/** Compares pinned versions with the state of apt. A package that apt does not know is gone. */
export function planInstall(pins: Readonly<Record<string, string>>, states: ReadonlyMap<string, PackageState>): Plan {
  const missing: Pin[] = [];
  const gone: (Pin & { offered: readonly string[] })[] = [];
  for (const [name, version] of Object.entries(pins)) {
    const { installed, offered } = states.get(name) ?? { installed: null, offered: [] };
    if (installed === version) continue;
    if (offered.includes(version)) missing.push({ name, version });
    else gone.push({ name, version, offered });
  }
  return { missing, gone };
}

/**
 * Returns the archives that `apt-get update` could not read: while there are any, a version that is not offered may
 * exist all the same.
 */
export function unreadArchives(output: string): string[] {
  return [...output.matchAll(/Failed to fetch (\S+)/g)].map(([, address = ""]) => address);
}

/** Returns one sentence for packages that are gone, each by name and version. */
export function tellGone(gone: Plan["gone"]): string {
  return gone
    .map(({ name, version, offered }) => {
      const instead = offered.length === 0 ? "apt offers none" : `apt offers ${offered.join(", ")}`;
      return `${name} ${version} can no longer be installed (${instead})`;
    })
    .join("; ");
}

/** Says whether `/etc/os-release` describes this distribution release. */
export function isDistribution(osRelease: string, wanted: { readonly id: string; readonly codename: string }): boolean {
  const value = (key: string) => new RegExp(`^${key}="?([^"\n]*)"?$`, "m").exec(osRelease)?.[1];
  return value("ID") === wanted.id && value("VERSION_CODENAME") === wanted.codename;
}
