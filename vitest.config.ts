import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Vite does not know that a package may import itself by name; these are the doors of package.json, to their sources.
const source = (path: string): string => fileURLToPath(new URL(`src/${path}`, import.meta.url))
const resolve = {
  alias: [
    { find: /^kubewright$/, replacement: source('index.ts') },
    { find: /^kubewright\/kinds\/(.+)$/, replacement: source('kinds/$1.ts') },
    { find: /^kubewright\/([a-z-]+)$/, replacement: source('$1/index.ts') },
  ],
}

// Levels, weakest first: a test lives at the least powerful level that can fail for the reason it fears.
export default defineConfig({
  test: {
    projects: [
      // No control plane, no network beyond loopback.
      // Modules have no state of their own, so the files of one worker share them: each is loaded once, not 200 times.
      {
        resolve,
        test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 30_000, isolate: false },
      },
      { resolve, test: { name: 'faults', include: ['test/faults/**/*.test.ts'], testTimeout: 60_000 } },
      { resolve, test: { name: 'docs', include: ['test/docs/**/*.test.ts'], testTimeout: 120_000 } },
      // The embedded API server as users have it, in this process and in virtual time.
      { resolve, test: { name: 'embedded', include: ['test/embedded/**/*.test.ts'], testTimeout: 60_000 } },
      // A real control plane, started once for the whole run.
      {
        resolve,
        test: {
          name: 'scenarios',
          include: ['test/scenarios/**/*.test.ts'],
          globalSetup: ['test/scenarios/global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Each file drives processes of its own; two at a time are enough for two cores.
          maxWorkers: 2,
        },
      },
      // The same scenarios on the embedded API server, as far as they are about the cluster and not about its programs.
      {
        resolve,
        test: {
          name: 'scenarios-embedded',
          include: [
            'test/scenarios/*-differential.test.ts',
            'test/scenarios/client.test.ts',
            'test/scenarios/example-*.test.ts',
            'test/scenarios/import.test.ts',
            'test/scenarios/kind-lifecycle.test.ts',
            'test/scenarios/kubectl.test.ts',
            'test/scenarios/leader-election.test.ts',
            'test/scenarios/server-restart.test.ts',
          ],
          globalSetup: ['test/scenarios/global-setup-embedded.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          maxWorkers: 2,
        },
      },
      // The embedded API server judged by the real one, request by request.
      {
        resolve,
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          globalSetup: ['test/conformance/global-setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Cases mostly wait for the real server, each in a namespace of its own.
          maxConcurrency: 24,
          // The two files that talk to it, at the same time.
          maxWorkers: 2,
        },
      },
      // The packed tarball, as users get it.
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
