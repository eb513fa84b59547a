import { statfs } from 'node:fs/promises'
import { availableParallelism, cpus, freemem, hostname, totalmem } from 'node:os'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { MachineSample } from '@balcao/contract/platform/monitor.ts'
import { env } from '../../../env.ts'
import { socketCount } from '../../../kit/sockets.ts'

/** This process among those of the installation, the same after a restart: no two listen at one port of a machine. */
export const nodeName = `${hostname()}:${env.PORT}`

const resolutionMs = 20
const delay = monitorEventLoopDelay({ resolution: resolutionMs })
delay.enable()
const times = () => {
  const all = cpus().map(({ times }) => times)
  const idle = all.reduce((sum, one) => sum + one.idle, 0)
  return { idle, total: all.reduce((sum, one) => sum + one.user + one.nice + one.sys + one.idle + one.irq, 0) }
}
const reading = () => ({ machine: times(), process: process.cpuUsage(), at: performance.now() })
let last = reading()

/** Since the last sample; `isSample` begins a new one. */
export const measureMachine = async (isSample = false): Promise<MachineSample> => {
  const now = reading()
  const passed = now.machine.total - last.machine.total
  const usedMs = (now.process.user - last.process.user + now.process.system - last.process.system) / 1_000
  const elapsedMs = Math.max(1, now.at - last.at)
  const lag = (nanoseconds: number) => Math.max(0, Math.round((nanoseconds / 1e6 - resolutionMs) * 10) / 10) || 0
  const { rss, heapUsed } = process.memoryUsage()
  const memoryTotal = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  const available = Math.min(process.availableMemory?.() ?? freemem(), memoryTotal)
  const disk = await statfs(env.DATA_DIR).catch(() => null)
  const sample: MachineSample = {
    roles: [...env.ROLES],
    uptimeS: Math.round(process.uptime()),
    cpu: passed > 0 ? share(1 - (now.machine.idle - last.machine.idle) / passed) : 0,
    processCpu: share(usedMs / elapsedMs / availableParallelism()),
    memoryTotal,
    memoryUsed: memoryTotal - available,
    rss,
    heap: heapUsed,
    diskTotal: disk && disk.blocks * disk.bsize,
    diskFree: disk && disk.bavail * disk.bsize,
    sockets: socketCount(),
    lagMs: lag(delay.percentile(99)),
    lagMaxMs: lag(delay.max),
  }
  if (isSample) {
    last = now
    delay.reset()
  }
  return sample
}

const share = (value: number) => Math.round(Math.max(0, Math.min(1, value)) * 1_000) / 1_000
