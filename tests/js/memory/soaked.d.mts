export class SoakedSession {
  constructor(turnkeeper: object);
  readonly longest: number;
  turn(n: number): Promise<void>;
  dispose(): void;
}
