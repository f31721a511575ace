import { useEffect, useRef, useState } from 'preact/hooks';
import type { DailyTotal } from '#shared/client/types.ts';
import { naira } from './text.tsx';
import { listTicks } from './ticks.ts';

const SHORT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const COMPACT = new Intl.NumberFormat('en-NG', {
  style: 'currency',
  currency: 'NGN',
  notation: 'compact',
  maximumFractionDigits: 1,
});

/** Writes a day of Lagos, such as 27 Nov. */
export const formatDate = (day: string): string => SHORT.format(new Date(`${day}T00:00:00Z`));

/** Writes a number of payments, such as `2 payments`. */
export const formatPaymentCount = (count: number): string => `${count} ${count === 1 ? 'payment' : 'payments'}`;

/* Sizes in pixels. The chart is as wide as the element around it. */
const HEIGHT = 180;
const LEFT = 52;
/** Space to the right of the last bar: the date under this bar is wider than the bar. */
const RIGHT = 18;
const TOP = 8;
const BOTTOM = 24;
const GAP = 2;
/** The least distance between two dates, so that they never touch. */
const DATE_WIDTH = 64;

/** Follows the width of an element, in pixels. */
const useWidth = () => {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    if (ref.current) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
};

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  Home: -Infinity,
  End: Infinity,
};

interface BarsProps {
  readonly days: readonly DailyTotal[];
  readonly width: number;
  readonly dayIndex: number;
}

const Bars = ({ days, width, dayIndex }: BarsProps) => {
  const ticks = listTicks(Math.max(...days.map(({ amount }) => amount)));
  const scale = (HEIGHT - TOP - BOTTOM) / (ticks.at(-1) ?? 1);
  const dayWidth = (width - LEFT - RIGHT) / days.length;
  const dateEvery = Math.ceil(DATE_WIDTH / dayWidth);
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true">
      {ticks.map((tick) => (
        <g key={tick}>
          <path class="tick" d={`M${LEFT} ${HEIGHT - BOTTOM - tick * scale}H${width - RIGHT}`} />
          <text x={LEFT - 8} y={HEIGHT - BOTTOM - tick * scale + 4} text-anchor="end">
            {COMPACT.format(tick)}
          </text>
        </g>
      ))}
      {days.map(({ date, amount }, i) => {
        const height = amount === 0 ? 0 : Math.max(2, amount * scale);
        const x = LEFT + i * dayWidth;
        return (
          <g key={date}>
            {i === dayIndex && <rect class="shown" x={x} y={TOP} width={dayWidth} height={HEIGHT - TOP - BOTTOM} />}
            <rect
              x={x + GAP / 2}
              y={HEIGHT - BOTTOM - height}
              width={Math.max(1, dayWidth - GAP)}
              height={height}
              rx={1.5}
            />
            {(days.length - 1 - i) % dateEvery === 0 && x - LEFT > DATE_WIDTH / 2 && (
              <text x={x + dayWidth / 2} y={HEIGHT - 6} text-anchor="middle">
                {formatDate(date)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
};

/**
 * Shows how much landed each day. The text above the bars shows one day: the day that the pointer or the arrow keys have chosen, otherwise the last
 * day.
 */
export const Chart = ({ days }: { days: readonly DailyTotal[] }) => {
  const { ref, width } = useWidth();
  const [chosenIndex, choose] = useState<number | undefined>(undefined);
  const last = days.length - 1;
  const dayIndex = chosenIndex ?? last;
  const day = days[dayIndex];
  if (!day) return null;
  const words = `${formatDate(day.date)}: ${naira(day.amount)} in ${formatPaymentCount(day.count)}`;
  const move = (to: number) => choose(Math.min(last, Math.max(0, to)));
  return (
    <section class="card">
      <p class="readout">
        <span class="quiet">Landed on</span> {words}
      </p>
      <div
        class="chart"
        ref={ref}
        role="slider"
        tabIndex={0}
        aria-label="The day whose money is shown"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={dayIndex}
        aria-valuetext={words}
        onKeyDown={(event) => {
          const step = STEPS[event.key];
          if (step === undefined) return;
          event.preventDefault();
          move(dayIndex + step);
        }}
        onPointerMove={({ clientX, currentTarget }) => {
          const x = clientX - currentTarget.getBoundingClientRect().left - LEFT;
          move(Math.floor((x / (width - LEFT - RIGHT)) * days.length));
        }}
        onPointerLeave={() => choose(undefined)}
      >
        {width > 0 && <Bars days={days} width={width} dayIndex={chosenIndex ?? -1} />}
      </div>
    </section>
  );
};
